//! Names of persons, firms and places, made of syllables so that they belong to nobody.

use super::Language;
use crate::generate::draw::Draw;

/// Syllables that names begin with, and that they go on with.
fn syllables(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Greek => ("Αλ|Δρο|Κα|Λε|Μι|Νη|Πε|Σο|Θα|Φι", "ρα|νος|λια|κης|μο|στα|δη|βις|πο|θης"),
        Language::Russian => (
            "Бо|Ве|Гра|Дар|Зи|Кле|Лу|Ми|Ру|Тал",
            "ва|рин|сов|ля|мир|на|шко|дин|ко|ра",
        ),
        Language::Japanese => (
            "ミ|ハル|ソラ|ナギ|カエ|ユズ|トモ|リン|アオ|ヒナ",
            "カワ|タ|モリ|セ|ノ|ハラ|ミネ|サキ|ベ|オカ",
        ),
        Language::Arabic => ("با|نا|سم|را|لي|ها|دو|زا|مي|فا", "رين|سم|لان|دور|يان|هر|مين|رو|شا|ناد"),
        _ => (
            "Al|Bren|Cor|Dar|El|Fen|Gal|Hes|Il|Jor|Kel|Lor|Mar|Nel|Or|Per|Ros|Sel|Tor|Ul|Ver|Wes",
            "a|an|do|ek|el|en|ia|in|is|ko|la|len|mar|mo|na|nik|or|ra|rin|sa|ton|va|vik|wen",
        ),
    }
}

fn word(draw: &mut Draw, language: Language, n_more: u64) -> String {
    let (heads, tails) = syllables(language);
    let heads: Vec<&str> = heads.split('|').collect();
    let tails: Vec<&str> = tails.split('|').collect();
    let mut word = draw.pick(&heads).unwrap_or_default().to_owned();
    for _ in 0..n_more {
        word.push_str(draw.pick(&tails).unwrap_or_default());
    }
    word
}

/// First and last name of somebody who does not exist.
pub(in crate::generate) fn person(draw: &mut Draw, language: Language) -> String {
    let first = word(draw, language, 1);
    let n_more = draw.between(1, 2).unsigned_abs();
    let last = word(draw, language, n_more);
    let gap = if language == Language::Japanese { "・" } else { " " };
    format!("{last}{gap}{first}")
}

/// A firm that does not exist.
pub(in crate::generate) fn company(draw: &mut Draw, language: Language) -> String {
    let name = word(draw, language, 2);
    let kinds = match language {
        Language::German => "Werkstatt|Handel|Technik|Gartenbau",
        Language::French => "Atelier|Services|Conseil|Frères",
        Language::Spanish => "Talleres|Servicios|Comercial|Hermanos",
        Language::Portuguese => "Oficina|Serviços|Comércio|Irmãos",
        Language::Italian => "Officina|Servizi|Forniture|Fratelli",
        Language::Polish => "Warsztat|Usługi|Handel|Serwis",
        Language::Turkish => "Atölye|Ticaret|Hizmet|Yapı",
        Language::Greek => "Εργαστήρι|Υπηρεσίες|Εμπόριο|Τεχνική",
        Language::Russian => "Мастерская|Сервис|Торг|Строй",
        Language::Japanese => "商店|工房|サービス|建設",
        Language::Arabic => "للتجارة|للخدمات|للبناء|للصناعة",
        Language::English => "Works|Supplies|Services|Workshop|Partners",
    };
    let kinds: Vec<&str> = kinds.split('|').collect();
    format!("{name} {}", draw.pick(&kinds).unwrap_or_default())
}

/// A place that does not exist.
pub(in crate::generate) fn place(draw: &mut Draw, language: Language) -> String {
    word(draw, language, 2)
}
