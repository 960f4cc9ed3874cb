//! Words that head columns, name fields and title sheets, in twelve languages.

use super::Language;

macro_rules! terms {
    ($($term:ident $($text:literal)*;)*) => {
        /// A word that every language has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::generate) enum Term { $($term,)* }

        impl Term {
            /// The word in each language, in the order of [`Language::ALL`].
            fn texts(self) -> [&'static str; Language::ALL.len()] {
                match self { $(Self::$term => [$($text,)*],)* }
            }

            #[cfg(test)]
            pub(in crate::generate) const ALL: &'static [Term] = &[$(Term::$term,)*];
        }
    };
}

impl Term {
    /// The word in a language.
    pub(in crate::generate) fn text(self, language: Language) -> &'static str {
        let [first, ..] = self.texts();
        self.texts().get(language as usize).copied().unwrap_or(first)
    }
}

terms! {
    Date "Date" "Datum" "Date" "Fecha" "Data" "Data" "Data" "Tarih" "Ημερομηνία" "Дата" "日付" "التاريخ";
    Item "Item" "Posten" "Article" "Artículo" "Item" "Voce" "Pozycja" "Kalem" "Είδος" "Позиция" "品目" "البند";
    Description "Description" "Beschreibung" "Désignation" "Descripción" "Descrição" "Descrizione" "Opis" "Açıklama" "Περιγραφή" "Описание" "内容" "الوصف";
    Quantity "Quantity" "Menge" "Quantité" "Cantidad" "Quantidade" "Quantità" "Ilość" "Miktar" "Ποσότητα" "Количество" "数量" "الكمية";
    UnitPrice "Unit price" "Einzelpreis" "Prix unitaire" "Precio unitario" "Preço unitário" "Prezzo unitario" "Cena jedn." "Birim fiyat" "Τιμή μονάδας" "Цена за ед." "単価" "سعر الوحدة";
    Amount "Amount" "Betrag" "Montant" "Importe" "Valor" "Importo" "Kwota" "Tutar" "Ποσό" "Сумма" "金額" "المبلغ";
    Total "Total" "Summe" "Total" "Total" "Total" "Totale" "Razem" "Toplam" "Σύνολο" "Итого" "合計" "المجموع";
    Subtotal "Subtotal" "Zwischensumme" "Sous-total" "Subtotal" "Subtotal" "Subtotale" "Suma częściowa" "Ara toplam" "Μερικό σύνολο" "Подытог" "小計" "المجموع الفرعي";
    Tax "Tax" "MwSt." "TVA" "IVA" "Imposto" "IVA" "VAT" "KDV" "ΦΠΑ" "НДС" "消費税" "الضريبة";
    Discount "Discount" "Rabatt" "Remise" "Descuento" "Desconto" "Sconto" "Rabat" "İndirim" "Έκπτωση" "Скидка" "割引" "الخصم";
    Name "Name" "Name" "Nom" "Nombre" "Nome" "Nome" "Nazwisko" "Ad Soyad" "Όνομα" "Имя" "氏名" "الاسم";
    Note "Note" "Bemerkung" "Remarque" "Nota" "Observação" "Nota" "Uwagi" "Not" "Σημείωση" "Примечание" "備考" "ملاحظة";
    Status "Status" "Status" "Statut" "Estado" "Situação" "Stato" "Status" "Durum" "Κατάσταση" "Статус" "状態" "الحالة";
    Category "Category" "Kategorie" "Catégorie" "Categoría" "Categoria" "Categoria" "Kategoria" "Kategori" "Κατηγορία" "Категория" "分類" "الفئة";
    Planned "Planned" "Plan" "Prévu" "Previsto" "Previsto" "Previsto" "Plan" "Planlanan" "Προβλεπόμενο" "План" "予定" "المخطط";
    Actual "Actual" "Ist" "Réel" "Real" "Real" "Effettivo" "Wykonanie" "Gerçekleşen" "Πραγματικό" "Факт" "実績" "الفعلي";
    Difference "Difference" "Abweichung" "Écart" "Diferencia" "Diferença" "Differenza" "Różnica" "Fark" "Διαφορά" "Разница" "差額" "الفرق";
    Share "Share" "Anteil" "Part" "Porcentaje" "Participação" "Quota" "Udział" "Pay" "Μερίδιο" "Доля" "割合" "النسبة";
    Balance "Balance" "Saldo" "Solde" "Saldo" "Saldo" "Saldo" "Saldo" "Bakiye" "Υπόλοιπο" "Остаток" "残高" "الرصيد";
    Income "Income" "Einnahmen" "Recettes" "Ingresos" "Receitas" "Entrate" "Przychody" "Gelir" "Έσοδα" "Доходы" "収入" "الإيرادات";
    Expense "Expenses" "Ausgaben" "Dépenses" "Gastos" "Despesas" "Uscite" "Wydatki" "Gider" "Έξοδα" "Расходы" "支出" "المصروفات";
    Budget "Budget" "Haushaltsplan" "Budget" "Presupuesto" "Orçamento" "Bilancio" "Budżet" "Bütçe" "Προϋπολογισμός" "Бюджет" "予算" "الميزانية";
    Invoice "Invoice" "Rechnung" "Facture" "Factura" "Fatura" "Fattura" "Faktura" "Fatura" "Τιμολόγιο" "Счёт" "請求書" "فاتورة";
    Customer "Customer" "Kunde" "Client" "Cliente" "Cliente" "Cliente" "Klient" "Müşteri" "Πελάτης" "Клиент" "顧客" "العميل";
    Address "Address" "Anschrift" "Adresse" "Dirección" "Endereço" "Indirizzo" "Adres" "Adres" "Διεύθυνση" "Адрес" "住所" "العنوان";
    Number "No." "Nr." "N°" "N.º" "N.º" "N." "Nr" "No" "Αρ." "№" "番号" "الرقم";
    Time "Time" "Uhrzeit" "Heure" "Hora" "Hora" "Ora" "Godzina" "Saat" "Ώρα" "Время" "時刻" "الوقت";
    Start "Start" "Beginn" "Début" "Inicio" "Início" "Inizio" "Początek" "Başlangıç" "Έναρξη" "Начало" "開始" "البداية";
    End "End" "Ende" "Fin" "Fin" "Fim" "Fine" "Koniec" "Bitiş" "Λήξη" "Конец" "終了" "النهاية";
    Hours "Hours" "Stunden" "Heures" "Horas" "Horas" "Ore" "Godziny" "Saatler" "Ώρες" "Часы" "時間" "الساعات";
    Rate "Rate" "Satz" "Taux" "Tarifa" "Taxa" "Tariffa" "Stawka" "Oran" "Συντελεστής" "Ставка" "単位額" "المعدل";
    Salary "Gross pay" "Bruttolohn" "Salaire brut" "Salario bruto" "Salário bruto" "Retribuzione" "Płaca brutto" "Brüt maaş" "Μικτές αποδοχές" "Оклад" "給与" "الراتب";
    Bonus "Bonus" "Prämie" "Prime" "Prima" "Bónus" "Premio" "Premia" "Prim" "Επίδομα" "Премия" "手当" "المكافأة";
    Deduction "Deductions" "Abzüge" "Retenues" "Deducciones" "Descontos" "Trattenute" "Potrącenia" "Kesinti" "Κρατήσεις" "Удержания" "控除" "الخصومات";
    Net "Net pay" "Auszahlung" "Net à payer" "Neto" "Líquido" "Netto" "Do wypłaty" "Net ödeme" "Καθαρά" "К выплате" "支給額" "الصافي";
    Department "Department" "Abteilung" "Service" "Departamento" "Departamento" "Reparto" "Dział" "Bölüm" "Τμήμα" "Отдел" "部署" "القسم";
    Employee "Employee" "Mitarbeiter" "Salarié" "Empleado" "Funcionário" "Dipendente" "Pracownik" "Çalışan" "Υπάλληλος" "Сотрудник" "社員" "الموظف";
    Student "Student" "Schüler" "Élève" "Alumno" "Aluno" "Studente" "Uczeń" "Öğrenci" "Μαθητής" "Ученик" "生徒" "الطالب";
    Subject "Subject" "Fach" "Matière" "Asignatura" "Disciplina" "Materia" "Przedmiot" "Ders" "Μάθημα" "Предмет" "科目" "المادة";
    Grade "Grade" "Note" "Note" "Nota" "Nota" "Voto" "Ocena" "Not" "Βαθμός" "Оценка" "評価" "الدرجة";
    Average "Average" "Durchschnitt" "Moyenne" "Promedio" "Média" "Media" "Średnia" "Ortalama" "Μέσος όρος" "Среднее" "平均" "المتوسط";
    Points "Points" "Punkte" "Points" "Puntos" "Pontos" "Punti" "Punkty" "Puan" "Βαθμοί" "Очки" "点数" "النقاط";
    Rank "Rank" "Platz" "Rang" "Puesto" "Posição" "Posto" "Miejsce" "Sıra" "Θέση" "Место" "順位" "الترتيب";
    Team "Team" "Mannschaft" "Équipe" "Equipo" "Equipa" "Squadra" "Drużyna" "Takım" "Ομάδα" "Команда" "チーム" "الفريق";
    Played "Played" "Spiele" "Joués" "Jugados" "Jogos" "Giocate" "Mecze" "Oynanan" "Αγώνες" "Игры" "試合" "لعب";
    Won "Won" "Siege" "Gagnés" "Ganados" "Vitórias" "Vinte" "Wygrane" "Galibiyet" "Νίκες" "Победы" "勝" "فوز";
    Drawn "Drawn" "Remis" "Nuls" "Empatados" "Empates" "Pareggi" "Remisy" "Beraberlik" "Ισοπαλίες" "Ничьи" "分" "تعادل";
    Lost "Lost" "Niederlagen" "Perdus" "Perdidos" "Derrotas" "Perse" "Przegrane" "Mağlubiyet" "Ήττες" "Поражения" "敗" "خسارة";
    Scored "For" "Tore" "Pour" "A favor" "Marcados" "Fatti" "Zdobyte" "Attığı" "Υπέρ" "Забито" "得点" "له";
    Conceded "Against" "Gegentore" "Contre" "En contra" "Sofridos" "Subiti" "Stracone" "Yediği" "Κατά" "Пропущено" "失点" "عليه";
    Stock "In stock" "Bestand" "Stock" "Existencias" "Estoque" "Giacenza" "Stan" "Stok" "Απόθεμα" "Остаток" "在庫" "المخزون";
    MinStock "Minimum" "Mindestbestand" "Seuil" "Mínimo" "Mínimo" "Scorta minima" "Minimum" "Asgari" "Ελάχιστο" "Минимум" "最低在庫" "الحد الأدنى";
    Reorder "Reorder" "Nachbestellen" "Commander" "Pedir" "Repor" "Riordino" "Zamówić" "Sipariş" "Παραγγελία" "Заказать" "発注" "إعادة الطلب";
    Supplier "Supplier" "Lieferant" "Fournisseur" "Proveedor" "Fornecedor" "Fornitore" "Dostawca" "Tedarikçi" "Προμηθευτής" "Поставщик" "仕入先" "المورد";
    Place "Place" "Ort" "Lieu" "Lugar" "Local" "Luogo" "Miejsce" "Yer" "Τόπος" "Место" "場所" "المكان";
    Price "Price" "Preis" "Prix" "Precio" "Preço" "Prezzo" "Cena" "Fiyat" "Τιμή" "Цена" "価格" "السعر";
    Month "Month" "Monat" "Mois" "Mes" "Mês" "Mese" "Miesiąc" "Ay" "Μήνας" "Месяц" "月" "الشهر";
    Week "Week" "Woche" "Semaine" "Semana" "Semana" "Settimana" "Tydzień" "Hafta" "Εβδομάδα" "Неделя" "週" "الأسبوع";
    Day "Day" "Tag" "Jour" "Día" "Dia" "Giorno" "Dzień" "Gün" "Ημέρα" "День" "曜日" "اليوم";
    Sales "Sales" "Umsatz" "Ventes" "Ventas" "Vendas" "Vendite" "Sprzedaż" "Satış" "Πωλήσεις" "Продажи" "売上" "المبيعات";
    Region "Region" "Gebiet" "Région" "Zona" "Região" "Zona" "Region" "Bölge" "Περιοχή" "Регион" "地域" "المنطقة";
    Target "Target" "Ziel" "Objectif" "Objetivo" "Meta" "Obiettivo" "Cel" "Hedef" "Στόχος" "Цель" "目標" "الهدف";
    Product "Product" "Produkt" "Produit" "Producto" "Produto" "Prodotto" "Produkt" "Ürün" "Προϊόν" "Товар" "商品" "المنتج";
    Task "Task" "Aufgabe" "Tâche" "Tarea" "Tarefa" "Attività" "Zadanie" "Görev" "Εργασία" "Задача" "作業" "المهمة";
    Owner "Owner" "Verantwortlich" "Responsable" "Responsable" "Responsável" "Responsabile" "Osoba" "Sorumlu" "Υπεύθυνος" "Ответственный" "担当" "المسؤول";
    Progress "Progress" "Fortschritt" "Avancement" "Avance" "Progresso" "Avanzamento" "Postęp" "İlerleme" "Πρόοδος" "Готовность" "進捗" "التقدم";
    Duration "Days" "Tage" "Durée" "Duración" "Duração" "Durata" "Dni" "Süre" "Διάρκεια" "Дней" "日数" "المدة";
    Question "Question" "Frage" "Question" "Pregunta" "Pergunta" "Domanda" "Pytanie" "Soru" "Ερώτηση" "Вопрос" "質問" "السؤال";
    Answer "Answer" "Antwort" "Réponse" "Respuesta" "Resposta" "Risposta" "Odpowiedź" "Yanıt" "Απάντηση" "Ответ" "回答" "الإجابة";
    Yes "yes" "ja" "oui" "sí" "sim" "sì" "tak" "evet" "ναι" "да" "はい" "نعم";
    No "no" "nein" "non" "no" "não" "no" "nie" "hayır" "όχι" "нет" "いいえ" "لا";
    Count "Count" "Anzahl" "Nombre" "Número" "Contagem" "Numero" "Liczba" "Adet" "Πλήθος" "Число" "件数" "العدد";
    Maximum "Maximum" "Höchstwert" "Maximum" "Máximo" "Máximo" "Massimo" "Maksimum" "En yüksek" "Μέγιστο" "Максимум" "最大" "الأعلى";
    Minimum "Minimum" "Tiefstwert" "Minimum" "Mínimo" "Mínimo" "Minimo" "Minimum" "En düşük" "Ελάχιστο" "Минимум" "最小" "الأدنى";
    Sample "Sample" "Probe" "Échantillon" "Muestra" "Amostra" "Campione" "Próbka" "Numune" "Δείγμα" "Проба" "試料" "العينة";
    Value "Value" "Wert" "Valeur" "Valor" "Valor" "Valore" "Wartość" "Değer" "Τιμή" "Значение" "値" "القيمة";
    Unit "Unit" "Einheit" "Unité" "Unidad" "Unidade" "Unità" "Jednostka" "Birim" "Μονάδα" "Ед. изм." "単位" "الوحدة";
    Reference "Reference" "Referenz" "Référence" "Referencia" "Referência" "Riferimento" "Norma" "Referans" "Αναφορά" "Норма" "基準値" "المرجع";
    Result "Result" "Ergebnis" "Résultat" "Resultado" "Resultado" "Risultato" "Wynik" "Sonuç" "Αποτέλεσμα" "Результат" "結果" "النتيجة";
    Room "Room" "Raum" "Salle" "Aula" "Sala" "Aula" "Sala" "Derslik" "Αίθουσα" "Кабинет" "教室" "القاعة";
    Morning "Early" "Früh" "Matin" "Mañana" "Manhã" "Mattina" "Rano" "Sabah" "Πρωί" "Утро" "早番" "صباح";
    Evening "Late" "Spät" "Soir" "Tarde" "Tarde" "Sera" "Wieczór" "Akşam" "Βράδυ" "Вечер" "遅番" "مساء";
    Night "Night" "Nacht" "Nuit" "Noche" "Noite" "Notte" "Noc" "Gece" "Νύχτα" "Ночь" "夜勤" "ليل";
    Interest "Interest" "Zinsen" "Intérêts" "Interés" "Juros" "Interessi" "Odsetki" "Faiz" "Τόκοι" "Проценты" "利息" "الفائدة";
    Principal "Principal" "Tilgung" "Capital" "Capital" "Amortização" "Capitale" "Kapitał" "Anapara" "Κεφάλαιο" "Основной долг" "元金" "أصل الدين";
    Payment "Payment" "Rate" "Mensualité" "Cuota" "Prestação" "Rata" "Rata" "Taksit" "Δόση" "Платёж" "返済額" "القسط";
    Loan "Loan" "Darlehen" "Prêt" "Préstamo" "Empréstimo" "Prestito" "Kredyt" "Kredi" "Δάνειο" "Кредит" "借入" "القرض";
    Opening "Opening balance" "Anfangsbestand" "Solde initial" "Saldo inicial" "Saldo inicial" "Saldo iniziale" "Saldo początkowe" "Devreden" "Αρχικό υπόλοιπο" "Начальный остаток" "繰越" "رصيد افتتاحي";
    Summary "Summary" "Übersicht" "Récapitulatif" "Resumen" "Resumo" "Riepilogo" "Podsumowanie" "Özet" "Σύνοψη" "Сводка" "集計" "الملخص";
    Distance "Distance" "Strecke" "Distance" "Distancia" "Distância" "Distanza" "Odległość" "Mesafe" "Απόσταση" "Расстояние" "距離" "المسافة";
    Cost "Cost" "Kosten" "Coût" "Coste" "Custo" "Costo" "Koszt" "Maliyet" "Κόστος" "Стоимость" "費用" "التكلفة";
    Signature "Signature" "Unterschrift" "Signature" "Firma" "Assinatura" "Firma" "Podpis" "İmza" "Υπογραφή" "Подпись" "署名" "التوقيع";
    Prepared "Prepared by" "Erstellt von" "Établi par" "Elaborado por" "Elaborado por" "Redatto da" "Sporządził" "Hazırlayan" "Συντάκτης" "Составил" "作成者" "إعداد";
    Version "Version" "Fassung" "Version" "Versión" "Versão" "Versione" "Wersja" "Sürüm" "Έκδοση" "Версия" "版" "الإصدار";
    Phone "Phone" "Telefon" "Téléphone" "Teléfono" "Telefone" "Telefono" "Telefon" "Telefon" "Τηλέφωνο" "Телефон" "電話" "الهاتف";
    Open "open" "offen" "ouvert" "abierto" "aberto" "aperto" "otwarte" "açık" "ανοικτό" "открыто" "未完了" "مفتوح";
    Done "done" "erledigt" "terminé" "hecho" "feito" "fatto" "gotowe" "tamam" "έτοιμο" "готово" "完了" "منجز";
    Late "late" "verspätet" "en retard" "atrasado" "atrasado" "in ritardo" "opóźnione" "gecikti" "καθυστέρηση" "просрочено" "遅延" "متأخر";
    Treatment "Treatment" "Variante" "Traitement" "Tratamiento" "Tratamento" "Trattamento" "Wariant" "Uygulama" "Μεταχείριση" "Вариант" "処理" "المعالجة";
    Replicate "Run" "Lauf" "Essai" "Ensayo" "Ensaio" "Prova" "Próba" "Deneme" "Δοκιμή" "Опыт" "反復" "التجربة";
    Attendance "Attendance" "Anwesenheit" "Présences" "Asistencia" "Presenças" "Presenze" "Obecność" "Devam çizelgesi" "Παρουσίες" "Посещаемость" "出席簿" "الحضور";
    Timetable "Timetable" "Stundenplan" "Emploi du temps" "Horario" "Horário" "Orario" "Plan lekcji" "Ders programı" "Πρόγραμμα" "Расписание" "時間割" "الجدول";
    Inventory "Inventory" "Inventar" "Inventaire" "Inventario" "Inventário" "Inventario" "Inwentarz" "Envanter" "Απογραφή" "Инвентарь" "在庫表" "الجرد";
    Survey "Survey" "Umfrage" "Enquête" "Encuesta" "Inquérito" "Sondaggio" "Ankieta" "Anket" "Έρευνα" "Опрос" "調査" "الاستبيان";
    Laboratory "Laboratory results" "Laborwerte" "Résultats d'analyse" "Resultados de laboratorio" "Resultados laboratoriais" "Risultati di laboratorio" "Wyniki badań" "Laboratuvar sonuçları" "Αποτελέσματα εργαστηρίου" "Результаты анализов" "検査結果" "نتائج المختبر";
    League "League table" "Tabelle" "Classement" "Clasificación" "Classificação" "Classifica" "Tabela" "Puan durumu" "Βαθμολογία" "Турнирная таблица" "順位表" "جدول الترتيب";
    Travel "Travel plan" "Reiseplan" "Plan de voyage" "Plan de viaje" "Plano de viagem" "Piano di viaggio" "Plan podróży" "Seyahat planı" "Σχέδιο ταξιδιού" "План поездки" "旅程表" "خطة السفر";
    Project "Project plan" "Projektplan" "Plan de projet" "Plan de proyecto" "Plano do projeto" "Piano di progetto" "Plan projektu" "Proje planı" "Σχέδιο έργου" "План проекта" "計画表" "خطة المشروع";
    Payroll "Payroll" "Lohnliste" "Paie" "Nómina" "Folha de pagamento" "Buste paga" "Lista płac" "Bordro" "Μισθοδοσία" "Ведомость" "給与台帳" "كشف الرواتب";
    Rota "Shift rota" "Dienstplan" "Planning" "Turnos" "Escala" "Turni" "Grafik zmian" "Vardiya çizelgesi" "Βάρδιες" "График смен" "勤務表" "جدول المناوبات";
    PriceList "Price list" "Preisliste" "Tarifs" "Lista de precios" "Tabela de preços" "Listino prezzi" "Cennik" "Fiyat listesi" "Τιμοκατάλογος" "Прайс-лист" "価格表" "قائمة الأسعار";
    Experiment "Trial" "Versuch" "Expérience" "Experimento" "Experimento" "Esperimento" "Doświadczenie" "Deney" "Πείραμα" "Эксперимент" "実験" "التجارب";
    CashBook "Cash book" "Kassenbuch" "Livre de caisse" "Libro de caja" "Livro-caixa" "Libro cassa" "Książka kasowa" "Kasa defteri" "Βιβλίο ταμείου" "Кассовая книга" "出納帳" "دفتر النقدية";
    Form "Registration form" "Anmeldebogen" "Formulaire" "Formulario" "Formulário" "Modulo" "Formularz" "Kayıt formu" "Έντυπο" "Анкета" "申込書" "استمارة";
    GradeBook "Grade book" "Notenliste" "Relevé de notes" "Calificaciones" "Pauta" "Registro voti" "Dziennik ocen" "Not çizelgesi" "Βαθμολόγιο" "Журнал оценок" "成績表" "سجل الدرجات";
    Readings "Readings" "Messwerte" "Relevés" "Lecturas" "Leituras" "Letture" "Odczyty" "Ölçümler" "Μετρήσεις" "Замеры" "測定値" "القراءات";
}
