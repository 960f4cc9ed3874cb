// An OpenAI-compatible server around llama.cpp with one model, for tests: node server.mjs MODEL.gguf
// It prints the port that it listens at on this machine. One thread: more wait for each other on small machines.
import http from "node:http";
import {getLlama} from "node-llama-cpp";

const llama = await getLlama({gpu: false, maxThreads: 1, build: "never", logLevel: "error"});
const model = await llama.loadModel({modelPath: process.argv[2]});
const context = await model.createContext({contextSize: 4096, threads: 1, batchSize: 512});
const sequence = context.getSequence();

// The form in which SmolLM2 was taught conversations.
const chat = (messages) => {
    const said = messages.map(({role, content}) => `<|im_start|>${role}\n${content}<|im_end|>\n`);
    return said.join("") + "<|im_start|>assistant\n";
};

const where = (text, stops) => {
    const found = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
    return found.length > 0 ? Math.min(...found) : -1;
};

const complete = async (prompt, isChat, {max_tokens: max = 64, temperature = 0, stop = []}) => {
    const tokens = model.tokenize(prompt, isChat);
    if (tokens.length + max > context.contextSize) return {tooLong: tokens.length};
    // What was read before is kept; the last token is read again, since something has to be.
    await sequence.adaptStateToTokens(tokens.slice(0, -1), false);
    const rest = tokens.slice(sequence.contextTokens.length);
    const [ids, written] = [[], []];
    let text = "", finish = "stop";
    for await (const {token, confidence} of sequence.evaluateWithMetadata(rest, {confidence: true}, {temperature})) {
        if (model.isEogToken(token)) break;
        ids.push(token);
        written.push({token: model.detokenize([token]), logprob: Math.log(confidence)});
        text = model.detokenize(ids);
        const end = where(text, [stop].flat());
        if (end >= 0) { text = text.slice(0, end); break; }
        if (ids.length >= max) { finish = "length"; break; }
    }
    return {text, finish, written, read: tokens.length};
};

const answer = async (path, body) => {
    const isChat = path === "/v1/chat/completions";
    if (!isChat && path !== "/v1/completions") return [404, {error: {message: `no ${path}`}}];
    const result = await complete(isChat ? chat(body.messages) : body.prompt, isChat, body);
    if (result.tooLong) {
        return [400, {error: {message: `maximum context length is 4096 tokens, the prompt has ${result.tooLong}`}}];
    }
    const {text, finish, written, read} = result;
    const usage = {prompt_tokens: read, completion_tokens: written.length, total_tokens: read + written.length};
    const logprobs = !body.logprobs ? null : isChat
        ? {content: written}
        : {tokens: written.map(({token}) => token), token_logprobs: written.map(({logprob}) => logprob)};
    const choice = isChat ? {message: {role: "assistant", content: text}} : {text};
    return [200, {model: body.model, choices: [{index: 0, ...choice, finish_reason: finish, logprobs}], usage}];
};

// One request after the other, since they share the model.
let turn = Promise.resolve();
const server = http.createServer((request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => {
        turn = turn.then(async () => {
            const reply = await answer(request.url, JSON.parse(Buffer.concat(pieces))).catch((error) => [
                500, {error: {message: String(error)}},
            ]);
            response.writeHead(reply[0], {"Content-Type": "application/json"});
            response.end(JSON.stringify(reply[1]));
        });
    });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
