"""Actions: reading and writing lines, and moving them."""

from __future__ import annotations

import json
import unittest

from napsim import Action, Area, column_letters, column_number


class Fields(unittest.TestCase):
    def check(self, line: str, kind: str, sheet: str, range: str, value: str) -> None:
        action = Action(line)
        self.assertEqual((action.kind, action.sheet, action.range, action.value), (kind, sheet, range, value))
        self.assertEqual(str(action), line)
        self.assertEqual(json.loads(json.dumps(action)), line)

    def test_an_action_has_four_fields(self) -> None:
        self.check('INPUT | Sheet1!A1 | "Batch"', "INPUT", "Sheet1", "A1", '"Batch"')
        self.check("PASTE_FROM | S!H1 | S!B2:C3 | all", "PASTE_FROM", "S", "H1", "S!B2:C3 | all")
        self.check("MERGE | My Data!B2:F2", "MERGE", "My Data", "B2:F2", "")

    def test_without_a_sheet_the_first_one_is_meant(self) -> None:
        self.check("FONT_BOLD | A1 | true", "FONT_BOLD", "Sheet1", "A1", "true")

    def test_a_value_may_hold_anything(self) -> None:
        for value in ('"a | b ! c"', '"\\u0000"', '"line\\nline"', '"日本語 😀"', "=A!B1 | x", "  two blanks"):
            self.check(f"INPUT | Sheet1!A1 | {value}", "INPUT", "Sheet1", "A1", value)

    def test_a_sheet_may_be_called_anything(self) -> None:
        for sheet in (" blank", "'quoted'", "a|b", "line\nline", "日本", "", "'a!b'", "'!'"):
            self.check(f"INPUT | {sheet}!A1 | 1", "INPUT", sheet, "A1", "1")

    def test_any_text_can_be_made_an_action(self) -> None:
        self.check("", "", "Sheet1", "", "")
        self.check("no action at all", "no action at all", "Sheet1", "", "")


class Building(unittest.TestCase):
    def test_fields_are_put_together(self) -> None:
        self.assertEqual(Action.of("FONT_BOLD", "A1:C1", "true"), "FONT_BOLD | Sheet1!A1:C1 | true")
        self.assertEqual(Action.of("MERGE", "B2:F2", sheet="Data"), "MERGE | Data!B2:F2")

    def test_fields_that_could_not_be_told_apart_are_refused(self) -> None:
        for kind, sheet, range in (("A | B", "S", "A1"), ("INPUT", "a | b", "A1"), ("INPUT", "a", "b!A1")):
            with self.subTest(kind=kind, sheet=sheet), self.assertRaises(ValueError):
                Action.of(kind, range, "1", sheet=sheet)

    def test_typed_values_are_written_as_json(self) -> None:
        for content, value in (
            ("Größe\n\x00😀", '"Gr\\u00f6\\u00dfe\\n\\u0000\\ud83d\\ude00"'),
            (1.5, "1.5"),
            (True, "true"),
            ("=A1*2", '"=A1*2"'),
            ([[1, "a"], [2, "b"]], '[[1, "a"], [2, "b"]]'),
        ):
            self.assertEqual(Action.input("A1", content), f"INPUT | Sheet1!A1 | {value}")
        with self.assertRaises(ValueError):
            Action.input("A1", float("nan"))
        with self.assertRaises(TypeError):
            Action.input("A1", object())


class Moving(unittest.TestCase):
    def check(self, line: str, rows: int, columns: int, expect: str) -> None:
        self.assertEqual(str(Action(line).moved(rows, columns)), expect)

    def test_the_range_moves_and_the_value_stays(self) -> None:
        self.check('INPUT | Sheet1!A1 | "=B1"', 1, 0, 'INPUT | Sheet1!A2 | "=B1"')
        self.check("FONT_BOLD | My Data!A1:C4 | true", 2, 25, "FONT_BOLD | My Data!Z3:AB6 | true")
        self.check("PASTE_FROM | S!H1 | S!B2 | all", 1, 1, "PASTE_FROM | S!I2 | S!B2 | all")
        self.check("MERGE | Sheet1!$B$2:f3", 0, -1, "MERGE | Sheet1!A2:E3")

    def test_the_source_of_a_fill_moves_along(self) -> None:
        self.check("AUTOFILL | S!A1:A9 | S!A1:A2", 0, 1, "AUTOFILL | S!B1:B9 | S!B1:B2")
        self.check("AUTOFILL | A1:A9 | A1", 1, 0, "AUTOFILL | Sheet1!A2:A10 | A2")
        self.check("AUTOFILL | S!A1:A9 | clear", 0, 1, "AUTOFILL | S!B1:B9 | clear")

    def test_nothing_moves_off_the_sheet(self) -> None:
        for rows, columns in ((-1, 0), (0, -1)):
            with self.assertRaisesRegex(ValueError, "no longer on the sheet"):
                Action("INPUT | Sheet1!A1 | 1").moved(rows, columns)

    def test_nothing_moves_beyond_the_last_row_and_column(self) -> None:
        last = Action("INPUT | Sheet1!XFD1048576 | 1")
        self.assertEqual(Action("INPUT | Sheet1!A1 | 1").moved(1_048_575, 16_383), last)
        self.assertEqual(last.at("XFD1048576"), last)
        for line, rows, columns in (
            (last, 1, 0),
            (last, 0, 1),
            ("MERGE | Sheet1!A1:B2", 1_048_575, 0),
            ("MERGE | Sheet1!A1:B2", 0, 16_383),
            ("MERGE | Sheet1!B2:A1", 1_048_575, 0),
            ("AUTOFILL | S!A1:A2 | S!A3", 1_048_574, 0),
        ):
            with self.subTest(line=line), self.assertRaisesRegex(ValueError, "no longer on the sheet"):
                Action(line).moved(rows, columns)

    def test_no_action_can_be_put_off_the_sheet(self) -> None:
        for range in ("A0", "A1048577", "XFE1", "A1:A1048577", "$XFE$1:A1", Area(0, 1, 0, 1)):
            with self.subTest(range=range), self.assertRaisesRegex(ValueError, "is not on the sheet"):
                Action("INPUT | Sheet1!A1 | 1").at(range)
        self.assertEqual(Action("HIDE | Sheet1!A:A").at("XFE:XFE"), "HIDE | Sheet1!XFE:XFE")

    def test_a_sheet_with_the_mark_in_its_name_keeps_it(self) -> None:
        action = Action("INPUT | 'a!b'!A1 | 1")
        self.assertEqual((action.sheet, action.range, action.area), ("'a!b'", "A1", Area(1, 1, 1, 1)))
        self.assertEqual(action.moved(1), "INPUT | 'a!b'!A2 | 1")

    def test_what_is_no_range_of_cells_cannot_be_moved(self) -> None:
        for range in ("A:C", "1:3", "", "A1:", "ABCD1", "A1 "):
            action = Action(f"INPUT | Sheet1!{range} | 1")
            self.assertIsNone(action.area)
            with self.assertRaisesRegex(ValueError, "cannot be moved"):
                action.moved(1)

    def test_an_area_tells_its_size(self) -> None:
        area = Area.parse("B3:D4")
        assert area is not None
        self.assertEqual((area.n_rows, area.n_columns, str(area)), (2, 3, "B3:D4"))
        self.assertEqual(str(Action("INPUT | Sheet1!A1 | 1").at(area)), "INPUT | Sheet1!B3:D4 | 1")
        self.assertEqual(Area.parse("C7"), (7, 3, 7, 3))

    def test_columns_are_counted_in_letters(self) -> None:
        for number, letters in ((1, "A"), (26, "Z"), (27, "AA"), (702, "ZZ"), (703, "AAA"), (16384, "XFD")):
            self.assertEqual(column_letters(number), letters)
            self.assertEqual(column_number(letters.lower()), number)
        for wrong in ("", "1", "Ä", "A1"):
            with self.assertRaises(ValueError):
                column_number(wrong)
        with self.assertRaises(ValueError):
            column_letters(0)


if __name__ == "__main__":
    unittest.main()
