//! Lists of things that fill the rows of sheets, in twelve languages.

use super::Language;

/// A list of words that every language has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::generate) enum List {
    Months,
    Weekdays,
    Expenses,
    Incomes,
    Goods,
    Subjects,
    Tasks,
    Departments,
    Questions,
    Remarks,
}

impl List {
    #[cfg(test)]
    pub(in crate::generate) const ALL: [List; 10] = [
        Self::Months,
        Self::Weekdays,
        Self::Expenses,
        Self::Incomes,
        Self::Goods,
        Self::Subjects,
        Self::Tasks,
        Self::Departments,
        Self::Questions,
        Self::Remarks,
    ];
}

/// The words of a list in a language.
pub(in crate::generate) fn words(list: List, language: Language) -> Vec<&'static str> {
    let lists = match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
        Language::French => &FRENCH,
        Language::Spanish => &SPANISH,
        Language::Portuguese => &PORTUGUESE,
        Language::Italian => &ITALIAN,
        Language::Polish => &POLISH,
        Language::Turkish => &TURKISH,
        Language::Greek => &GREEK,
        Language::Russian => &RUSSIAN,
        Language::Japanese => &JAPANESE,
        Language::Arabic => &ARABIC,
    };
    let [first, ..] = lists;
    lists.get(list as usize).unwrap_or(first).split('|').collect()
}

/// The lists of one language in the order of [`List`], words parted by `|`.
type Lists = [&'static str; 10];

const ENGLISH: Lists = [
    "January|February|March|April|May|June|July|August|September|October|November|December",
    "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday",
    "Rent|Electricity|Water|Insurance|Groceries|Fuel|Repairs|Clothing|Internet|Gifts|Childcare|Dentist|Holidays|Books",
    "Salary|Side job|Child benefit|Refund|Rent received|Ticket sales|Donations",
    "Desk lamp|Oak shelf|Rope 20 m|Paint brush|Garden hose|Work gloves|Timber screw|Rain jacket|Notebook|Thermos flask|Bicycle pump|Folding chair|Cable drum|Seed tray|Wall clock|Tool box",
    "Mathematics|English|History|Biology|Physics|Geography|Music|Art|Sport|Chemistry",
    "Site survey|Order materials|Draw plans|Get permits|Lay foundations|Build frame|Fit windows|Wiring|Plastering|Painting|Final check|Handover|Clear the site|Write the report",
    "Kitchen|Workshop|Office|Warehouse|Sales|Service|Purchasing",
    "How did you hear about us?|Was the staff helpful?|Was the room clean?|Would you come again?|How do you rate the food?|Was the wait too long?|Is the price fair?|What should we improve?",
    "checked on delivery|see separate letter|to be confirmed|paid in advance|second reminder sent|replaced under guarantee|agreed by phone",
];

const GERMAN: Lists = [
    "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember",
    "Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag",
    "Miete|Strom|Wasser|Versicherung|Lebensmittel|Benzin|Reparaturen|Kleidung|Internet|Geschenke|Kita|Zahnarzt|Urlaub|Bücher",
    "Gehalt|Nebenverdienst|Kindergeld|Erstattung|Mieteinnahme|Eintritte|Spenden",
    "Schreibtischlampe|Eichenregal|Seil 20 m|Pinsel|Gartenschlauch|Handschuhe|Holzschraube|Regenjacke|Notizbuch|Thermoskanne|Luftpumpe|Klappstuhl|Kabeltrommel|Anzuchtschale|Wanduhr",
    "Mathematik|Deutsch|Geschichte|Biologie|Physik|Erdkunde|Musik|Kunst|Sport|Chemie",
    "Bestandsaufnahme|Material bestellen|Pläne zeichnen|Genehmigung|Fundament|Rohbau|Fenster|Elektrik|Putz|Malerarbeiten|Abnahme|Übergabe|Räumung|Bericht",
    "Küche|Werkstatt|Büro|Lager|Vertrieb|Kundendienst|Einkauf",
    "Wie haben Sie von uns erfahren?|War das Personal freundlich?|War das Zimmer sauber?|Kommen Sie wieder?|Wie war das Essen?|War die Wartezeit zu lang?|Ist der Preis angemessen?",
    "bei Lieferung geprüft|siehe Anschreiben|noch zu klären|im Voraus bezahlt|zweite Mahnung|auf Garantie ersetzt|telefonisch vereinbart",
];

const FRENCH: Lists = [
    "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
    "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche",
    "Loyer|Électricité|Eau|Assurance|Courses|Carburant|Réparations|Vêtements|Internet|Cadeaux|Crèche|Dentiste|Vacances|Livres",
    "Salaire|Travail d'appoint|Allocations|Remboursement|Loyer perçu|Billetterie|Dons",
    "Lampe de bureau|Étagère en chêne|Corde 20 m|Pinceau|Tuyau d'arrosage|Gants de travail|Vis à bois|Veste de pluie|Carnet|Bouteille isotherme|Pompe à vélo|Chaise pliante|Horloge murale",
    "Mathématiques|Français|Histoire|Biologie|Physique|Géographie|Musique|Dessin|Sport|Chimie",
    "État des lieux|Commander|Dessiner les plans|Permis|Fondations|Charpente|Fenêtres|Électricité|Enduit|Peinture|Contrôle final|Remise des clés|Rapport",
    "Cuisine|Atelier|Bureau|Entrepôt|Ventes|Service client|Achats",
    "Comment nous avez-vous connus ?|Le personnel était-il aimable ?|La chambre était-elle propre ?|Reviendrez-vous ?|Comment notez-vous les repas ?|L'attente était-elle longue ?",
    "vérifié à la livraison|voir courrier|à confirmer|payé d'avance|deuxième rappel|remplacé sous garantie|convenu par téléphone",
];

const SPANISH: Lists = [
    "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
    "lunes|martes|miércoles|jueves|viernes|sábado|domingo",
    "Alquiler|Electricidad|Agua|Seguro|Comida|Gasolina|Reparaciones|Ropa|Internet|Regalos|Guardería|Dentista|Vacaciones|Libros",
    "Sueldo|Trabajo extra|Ayuda familiar|Devolución|Renta cobrada|Entradas|Donativos",
    "Lámpara de mesa|Estante de roble|Cuerda 20 m|Brocha|Manguera|Guantes|Tornillo|Chubasquero|Cuaderno|Termo|Bomba de bicicleta|Silla plegable|Reloj de pared",
    "Matemáticas|Lengua|Historia|Biología|Física|Geografía|Música|Dibujo|Gimnasia|Química",
    "Visita de obra|Pedir material|Dibujar planos|Permisos|Cimientos|Estructura|Ventanas|Electricidad|Enlucido|Pintura|Revisión final|Entrega|Informe",
    "Cocina|Taller|Oficina|Almacén|Ventas|Servicio|Compras",
    "¿Cómo nos conoció?|¿Fue amable el personal?|¿Estaba limpia la habitación?|¿Volvería?|¿Qué le pareció la comida?|¿Esperó demasiado?",
    "revisado en la entrega|ver carta|por confirmar|pagado por adelantado|segundo aviso|cambiado por garantía|acordado por teléfono",
];

const PORTUGUESE: Lists = [
    "janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro",
    "segunda|terça|quarta|quinta|sexta|sábado|domingo",
    "Renda|Eletricidade|Água|Seguro|Mercearia|Combustível|Reparações|Roupa|Internet|Presentes|Creche|Dentista|Férias|Livros",
    "Ordenado|Biscates|Abono|Reembolso|Renda recebida|Bilheteira|Donativos",
    "Candeeiro|Prateleira de carvalho|Corda 20 m|Pincel|Mangueira|Luvas|Parafuso|Impermeável|Caderno|Garrafa térmica|Bomba de ar|Cadeira dobrável|Relógio de parede",
    "Matemática|Português|História|Biologia|Física|Geografia|Música|Desenho|Ginástica|Química",
    "Vistoria|Encomendar material|Desenhar plantas|Licenças|Fundações|Estrutura|Janelas|Eletricidade|Reboco|Pintura|Revisão final|Entrega|Relatório",
    "Cozinha|Oficina|Escritório|Armazém|Vendas|Assistência|Compras",
    "Como nos conheceu?|O pessoal foi simpático?|O quarto estava limpo?|Voltaria?|Como avalia a comida?|Esperou muito tempo?",
    "verificado na entrega|ver carta|a confirmar|pago adiantado|segundo aviso|trocado na garantia|combinado por telefone",
];

const ITALIAN: Lists = [
    "gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre",
    "lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica",
    "Affitto|Luce|Acqua|Assicurazione|Spesa|Benzina|Riparazioni|Vestiti|Internet|Regali|Asilo|Dentista|Vacanze|Libri",
    "Stipendio|Lavoretti|Assegno familiare|Rimborso|Affitto incassato|Biglietti|Offerte",
    "Lampada|Mensola di rovere|Corda 20 m|Pennello|Tubo da giardino|Guanti|Vite da legno|Impermeabile|Quaderno|Thermos|Pompa da bici|Sedia pieghevole|Orologio da parete",
    "Matematica|Italiano|Storia|Biologia|Fisica|Geografia|Musica|Disegno|Ginnastica|Chimica",
    "Sopralluogo|Ordine materiali|Disegni|Permessi|Fondazioni|Struttura|Finestre|Impianto elettrico|Intonaco|Pittura|Collaudo|Consegna|Relazione",
    "Cucina|Officina|Ufficio|Magazzino|Vendite|Assistenza|Acquisti",
    "Come ci ha conosciuti?|Il personale è stato gentile?|La camera era pulita?|Tornerebbe?|Come valuta il cibo?|Ha atteso molto?",
    "controllato alla consegna|vedi lettera|da confermare|pagato in anticipo|secondo sollecito|sostituito in garanzia|concordato al telefono",
];

const POLISH: Lists = [
    "styczeń|luty|marzec|kwiecień|maj|czerwiec|lipiec|sierpień|wrzesień|październik|listopad|grudzień",
    "poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela",
    "Czynsz|Prąd|Woda|Ubezpieczenie|Jedzenie|Paliwo|Naprawy|Ubrania|Internet|Prezenty|Przedszkole|Dentysta|Wakacje|Książki",
    "Pensja|Praca dodatkowa|Zasiłek|Zwrot|Najem|Bilety|Darowizny",
    "Lampka biurkowa|Półka dębowa|Lina 20 m|Pędzel|Wąż ogrodowy|Rękawice|Wkręt|Kurtka|Zeszyt|Termos|Pompka|Krzesło składane|Zegar ścienny",
    "Matematyka|Język polski|Historia|Biologia|Fizyka|Geografia|Muzyka|Plastyka|Wychowanie fizyczne|Chemia",
    "Oględziny|Zamówienie materiałów|Rysunki|Pozwolenia|Fundamenty|Konstrukcja|Okna|Instalacja|Tynki|Malowanie|Odbiór|Przekazanie|Raport",
    "Kuchnia|Warsztat|Biuro|Magazyn|Sprzedaż|Serwis|Zakupy",
    "Skąd Pan/Pani o nas wie?|Czy obsługa była miła?|Czy pokój był czysty?|Czy wróci Pan/Pani?|Jak smakowało jedzenie?|Czy czekanie trwało długo?",
    "sprawdzono przy dostawie|patrz pismo|do ustalenia|zapłacono z góry|drugie przypomnienie|wymieniono na gwarancji|ustalono telefonicznie",
];

const TURKISH: Lists = [
    "Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık",
    "Pazartesi|Salı|Çarşamba|Perşembe|Cuma|Cumartesi|Pazar",
    "Kira|Elektrik|Su|Sigorta|Market|Yakıt|Onarım|Giyim|İnternet|Hediye|Kreş|Dişçi|Tatil|Kitap",
    "Maaş|Ek iş|Aile yardımı|İade|Kira geliri|Bilet|Bağış",
    "Masa lambası|Meşe raf|Halat 20 m|Fırça|Bahçe hortumu|Eldiven|Ağaç vidası|Yağmurluk|Defter|Termos|Bisiklet pompası|Katlanır sandalye|Duvar saati",
    "Matematik|Türkçe|Tarih|Biyoloji|Fizik|Coğrafya|Müzik|Resim|Beden eğitimi|Kimya",
    "Keşif|Malzeme siparişi|Çizim|İzinler|Temel|İskelet|Pencereler|Elektrik|Sıva|Boya|Son kontrol|Teslim|Rapor",
    "Mutfak|Atölye|Ofis|Depo|Satış|Servis|Satın alma",
    "Bizi nereden duydunuz?|Personel yardımcı oldu mu?|Oda temiz miydi?|Tekrar gelir misiniz?|Yemekler nasıldı?|Çok beklediniz mi?",
    "teslimatta kontrol edildi|mektuba bakınız|onaylanacak|peşin ödendi|ikinci hatırlatma|garantiden değişti|telefonda anlaşıldı",
];

const GREEK: Lists = [
    "Ιανουάριος|Φεβρουάριος|Μάρτιος|Απρίλιος|Μάιος|Ιούνιος|Ιούλιος|Αύγουστος|Σεπτέμβριος|Οκτώβριος|Νοέμβριος|Δεκέμβριος",
    "Δευτέρα|Τρίτη|Τετάρτη|Πέμπτη|Παρασκευή|Σάββατο|Κυριακή",
    "Ενοίκιο|Ρεύμα|Νερό|Ασφάλεια|Τρόφιμα|Καύσιμα|Επισκευές|Ρούχα|Διαδίκτυο|Δώρα|Παιδικός σταθμός|Οδοντίατρος|Διακοπές|Βιβλία",
    "Μισθός|Δεύτερη δουλειά|Επίδομα|Επιστροφή|Ενοίκια|Εισιτήρια|Δωρεές",
    "Φωτιστικό|Ράφι|Σχοινί 20 m|Πινέλο|Λάστιχο|Γάντια|Βίδα|Αδιάβροχο|Τετράδιο|Θερμός|Τρόμπα|Πτυσσόμενη καρέκλα|Ρολόι",
    "Μαθηματικά|Γλώσσα|Ιστορία|Βιολογία|Φυσική|Γεωγραφία|Μουσική|Ζωγραφική|Γυμναστική|Χημεία",
    "Αυτοψία|Παραγγελία υλικών|Σχέδια|Άδειες|Θεμέλια|Σκελετός|Παράθυρα|Ηλεκτρικά|Σοβάς|Βάψιμο|Έλεγχος|Παράδοση|Αναφορά",
    "Κουζίνα|Εργαστήριο|Γραφείο|Αποθήκη|Πωλήσεις|Σέρβις|Προμήθειες",
    "Πώς μας μάθατε;|Ήταν ευγενικό το προσωπικό;|Ήταν καθαρό το δωμάτιο;|Θα ξανάρθετε;|Πώς ήταν το φαγητό;|Περιμένατε πολύ;",
    "ελέγχθηκε στην παράδοση|βλέπε επιστολή|προς επιβεβαίωση|προπληρωμένο|δεύτερη υπενθύμιση|με εγγύηση",
];

const RUSSIAN: Lists = [
    "январь|февраль|март|апрель|май|июнь|июль|август|сентябрь|октябрь|ноябрь|декабрь",
    "понедельник|вторник|среда|четверг|пятница|суббота|воскресенье",
    "Аренда|Электричество|Вода|Страховка|Продукты|Бензин|Ремонт|Одежда|Интернет|Подарки|Детский сад|Стоматолог|Отпуск|Книги",
    "Зарплата|Подработка|Пособие|Возврат|Сдача жилья|Билеты|Пожертвования",
    "Настольная лампа|Полка|Верёвка 20 м|Кисть|Шланг|Перчатки|Саморез|Дождевик|Тетрадь|Термос|Насос|Складной стул|Часы",
    "Математика|Русский язык|История|Биология|Физика|География|Музыка|Рисование|Физкультура|Химия",
    "Обследование|Заказ материалов|Чертежи|Разрешения|Фундамент|Каркас|Окна|Проводка|Штукатурка|Покраска|Проверка|Сдача|Отчёт",
    "Кухня|Мастерская|Контора|Склад|Продажи|Сервис|Закупки",
    "Откуда вы о нас узнали?|Был ли персонал вежлив?|Было ли чисто?|Придёте ли снова?|Как вам еда?|Долго ли ждали?",
    "проверено при приёмке|см. письмо|уточнить|оплачено заранее|второе напоминание|заменено по гарантии|по телефону",
];

const JAPANESE: Lists = [
    "一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
    "月曜|火曜|水曜|木曜|金曜|土曜|日曜",
    "家賃|電気代|水道代|保険料|食費|燃料費|修理費|衣類|通信費|贈り物|保育料|歯科|旅行|書籍",
    "給料|副業|児童手当|還付金|賃料収入|入場料|寄付金",
    "電気スタンド|本棚|ロープ|刷毛|散水ホース|作業手袋|木ねじ|雨具|ノート|魔法瓶|空気入れ|折りたたみ椅子|掛け時計",
    "数学|国語|歴史|生物|物理|地理|音楽|美術|体育|化学",
    "現地調査|資材発注|図面作成|許可申請|基礎工事|骨組み|窓取付|配線|左官|塗装|最終確認|引渡し|報告書",
    "厨房|作業場|事務所|倉庫|営業|修理|購買",
    "どこで知りましたか|係員は親切でしたか|部屋は清潔でしたか|また来たいですか|食事はいかがでしたか|待ち時間は長かったですか",
    "納品時に確認|別紙参照|要確認|前払い済み|再通知済み|保証で交換|電話で合意",
];

const ARABIC: Lists = [
    "يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر",
    "الاثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|الأحد",
    "الإيجار|الكهرباء|الماء|التأمين|البقالة|الوقود|الإصلاحات|الملابس|الإنترنت|الهدايا|الحضانة|طبيب الأسنان|الإجازة|الكتب",
    "الراتب|عمل إضافي|إعانة|استرداد|إيجار محصل|تذاكر|تبرعات",
    "مصباح مكتب|رف خشبي|حبل|فرشاة|خرطوم|قفازات|برغي|معطف مطر|دفتر|ترمس|منفاخ|كرسي قابل للطي|ساعة حائط",
    "الرياضيات|اللغة العربية|التاريخ|الأحياء|الفيزياء|الجغرافيا|الموسيقى|الرسم|الرياضة|الكيمياء",
    "معاينة الموقع|طلب المواد|رسم المخططات|التصاريح|الأساسات|الهيكل|النوافذ|التمديدات|التلييس|الدهان|الفحص|التسليم|التقرير",
    "المطبخ|الورشة|المكتب|المستودع|المبيعات|الخدمة|المشتريات",
    "كيف عرفتنا؟|هل كان الموظفون لطفاء؟|هل كانت الغرفة نظيفة؟|هل ستعود؟|كيف كان الطعام؟|هل انتظرت طويلا؟",
    "فحص عند التسليم|انظر الرسالة|بانتظار التأكيد|مدفوع مقدما|تذكير ثان|استبدل بالضمان|بالهاتف",
];
