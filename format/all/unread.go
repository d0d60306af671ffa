package all

import (
	"bytes"

	"github.com/gazeward/gazeward/format"
)

// weak is the score of what every other format may overrule.
const weak = format.Maybe / 2

const asCSV = "save the sheet as CSV (UTF-8) and read that"

// unread are files of other programs, recognised by their first bytes in order
// to say what to do: people bring them with endings like .csv.
func unread() []format.Format {
	office := func(raw []byte) bool {
		return begins("PK\x03\x04")(raw) && (bytes.Contains(raw, []byte("xl/")) || bytes.Contains(raw, []byte("[Content_Types].xml")) ||
			bytes.Contains(raw, []byte("opendocument.spreadsheet")))
	}
	return []format.Format{
		signed("excel", "Excel or OpenDocument workbook", []string{".xlsx", ".xlsm", ".ods"}, asCSV, format.Certain, office),
		signed("excel-97", "Excel 97 workbook", []string{".xls"}, asCSV, format.Certain, begins("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")),
		signed("zip", "ZIP archive", []string{".zip", ".7z", ".rar"}, "unpack it and read the folder", format.Likely, begins("PK\x03\x04", "PK\x05\x06", "7z\xbc\xaf\x27\x1c", "Rar!")),
		signed("pdf", "PDF", []string{".pdf"}, "it is no recording: leave it out", format.Certain, begins("%PDF-")),
		signed("picture", "picture or video", []string{".png", ".jpg", ".gif", ".bmp", ".tif", ".mp4", ".avi", ".mkv"}, "it is no recording: leave it out", format.Likely,
			begins("\x89PNG", "\xff\xd8\xff", "GIF8", "BM6", "\x1a\x45\xdf\xa3", "RIFF", "II*\x00", "MM\x00*", "\x00\x00\x00\x18ftyp", "\x00\x00\x00\x1cftyp", "\x00\x00\x00\x20ftyp")),
		signed("sqlite", "SQLite database", []string{".db", ".sqlite"}, "export the table with the samples as CSV (sqlite3 -header -csv FILE 'select * from TABLE')", format.Certain, begins("SQLite format 3\x00")),
		signed("spss", "SPSS data", []string{".sav"}, "save it as CSV (File, Save as)", format.Certain, begins("$FL2", "$FL3")),
		signed("r-data", "R data", []string{".rdata", ".rds"}, "write the data frame with write.csv(…, row.names = FALSE)", format.Certain, begins("RDX2\n", "RDX3\n", "X\n\x00\x00\x00")),
		signed("pickle", "Python pickle", []string{".pkl", ".pickle"}, "write the table with DataFrame.to_csv or to_parquet", format.Likely, begins("\x80\x03", "\x80\x04\x95", "\x80\x05\x95")),
		signed("json", "JSON", []string{".json", ".jsonl"}, "write a table instead, one sample a row: pandas.read_json(FILE, lines=True).to_csv(…), or jq -r '[.timestamp, .x, .y] | @csv'", weak, opens("{", "[")),
		signed("markup", "XML or HTML", []string{".xml", ".html"}, "export the samples as CSV or TSV", weak, opens("<")),
	}
}

func begins(marks ...string) func([]byte) bool {
	return func(raw []byte) bool {
		for _, m := range marks {
			if bytes.HasPrefix(raw, []byte(m)) {
				return true
			}
		}
		return false
	}
}

// opens is begins after a byte order mark and blanks.
func opens(marks ...string) func([]byte) bool {
	begin := begins(marks...)
	return func(raw []byte) bool {
		return begin(bytes.TrimLeft(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), " \t\r\n"))
	}
}

func signed(name, title string, endings []string, hint string, score int, is func(raw []byte) bool) format.Format {
	return format.Format{Name: name, Title: title, Extensions: endings, Hint: hint, Foreign: true, Detect: func(h format.Head) format.Match {
		if is(h.Raw) {
			return format.Match{Score: score, Why: []string{"its first bytes say so"}}
		}
		return format.Match{Why: []string{"does not begin like one"}}
	}}
}
