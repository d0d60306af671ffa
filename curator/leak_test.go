package curator

import (
	"bytes"
	"encoding/base64"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// search looks for the secrets in the name and in every byte of a file, and in
// the pictures that a page carries: decoded, since in half a megabyte of random
// letters a short word stands sooner or later.
func search(t *testing.T, root string) (files int) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		parts := append(embedded(b), escaped.ReplaceAll(b, nil), []byte(strings.TrimPrefix(name, root)))
		for _, secret := range secrets {
			for _, p := range parts {
				if bytes.Contains(bytes.ToLower(p), bytes.ToLower([]byte(secret))) {
					t.Errorf("%s holds %q", filepath.Base(name), secret)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var inline = regexp.MustCompile(`base64,([A-Za-z0-9+/=]+)`)

// escaped is inline as it stands in a page.
var escaped = regexp.MustCompile(`base64,(?:[A-Za-z0-9+/=]|&#43;)+`)

func embedded(b []byte) [][]byte {
	var parts [][]byte
	for _, m := range inline.FindAllStringSubmatch(html.UnescapeString(string(b)), -1) {
		if p, err := base64.StdEncoding.DecodeString(m[1]); err == nil {
			parts = append(parts, p)
		}
	}
	return parts
}

func searchText(t *testing.T, what, text string) {
	t.Helper()
	if secret := secretIn(text); secret != "" {
		t.Errorf("%s holds %q: %s", what, secret, text)
	}
}

func secretIn(text string) string {
	for _, secret := range secrets {
		if strings.Contains(strings.ToLower(text), strings.ToLower(secret)) {
			return secret
		}
	}
	return ""
}

// TestNothingLeaks releases heatmaps and areas of people whose names, sessions,
// mail addresses, machines, folders and times are words of their own.
func TestNothingLeaks(t *testing.T) {
	for _, name := range []string{"heatmap", "film", "recordings", "void", "areas", "areas per recording"} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.table(t, "recordings.csv", 9)
			var r *Release
			var err error
			if strings.HasPrefix(name, "areas") {
				j := l.areas(t)
				j.Looks = Detected
				if name != "areas" {
					j.Values["unit"] = "recording"
				}
				r, err = j.Run(t.Context())
			} else {
				j := l.heatmap(t)
				switch name {
				case "film":
					j.Values["duration"], j.Values["step"] = "600ms", "200ms"
				case "recordings":
					j.Values["unit"] = "recording"
				case "void":
					j.Spec = spec(t, "heatmap", "noise-free")
					j.Values = map[string]string{"blur": "20px"}
				}
				r, err = j.Run(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			if files := search(t, r.Dir); files < 6 {
				t.Fatalf("the search saw %d files only", files)
			}
			if name != "void" {
				if files := search(t, l.home.Dir); files < 3 {
					t.Fatalf("the search saw %d files of the home only", files)
				}
			}
			for _, told := range l.told {
				searchText(t, "a message", told)
			}
			manifest, err := os.ReadFile(filepath.Join(r.Dir, "manifest.json"))
			if err != nil || !bytes.Contains(manifest, []byte("9")) {
				t.Errorf("the search cannot be trusted: n is public and not there (%v)", err)
			}
			page, err := os.ReadFile(filepath.Join(r.Dir, "report.html"))
			if err != nil || name != "areas" && len(embedded(page)) == 0 {
				t.Errorf("no picture was looked into (%v)", err)
			}
		})
	}
}

// TestErrorsNameNobody damages the recordings in many ways: whatever is
// refused is refused without saying whom it was about.
func TestErrorsNameNobody(t *testing.T) {
	const header = "participant,session,email,stimulus,time [us],x [px],y [px],comment\n"
	const row = "Quokka 01,Wombat1,a@Echidna.org,hill,1714566612345000,10,10,Kowari\n"
	const next = "Quokka 01,Wombat1,a@Echidna.org,hill,1714566612355000,10,10,Kowari\n"
	for name, text := range map[string]string{
		"header only":     header,
		"no time":         header + "Quokka 01,Wombat1,a@Echidna.org,hill,Kowari,10,10,Kowari\n",
		"no numbers":      header + "Quokka 01,Wombat1,a@Echidna.org,hill,1714566612345000,Echidna,Bandicoot,Kowari\n",
		"broken off":      header + row + `"Quokka 01,Wombat1`,
		"too many fields": header + row + strings.Repeat("Quokka,", 40) + "\n" + next,
		"binary inside":   header + row + "\x00\x01Quokka\xff\xfe\x00\n" + next,
		"huge cell":       header + row + strings.Repeat("Quokka", 1<<18) + "\n",
		"no header":       row + next + strings.Repeat(next, 5),
		"other columns":   "who,when,left,right\nQuokka,1714566612,1,2\nQuokka,1714566613,1,2\n",
		"words":           "Dear Quokka,\nyour recording of 2024-05-01 14:30 is ready.\nWombat\n",
		"off the screen":  header + strings.ReplaceAll(row+next, ",10,10,", ",-10,-10,"),
		"all lost":        header + strings.ReplaceAll(row+next, ",10,10,", ",,,"),
		"gzip":            "\x1f\x8b\x08\x00Quokka",
		"matlab":          "MATLAB 5.0 MAT-file Quokka" + strings.Repeat(" ", 98) + "\x00\x01IMQuokkaQuokka",
		"eyelink":         "** CONVERTED FROM C:\\Numbat\\Quokka.edf\n** DATE: 2024-05-01 14:30\n** TYPE: EDF_FILE\nMSG 1714566612 Quokka\n",
		"hdf5":            "\x89HDF\r\n\x1a\nQuokka",
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.write(t, "file.csv", text)
			for _, run := range []func() error{
				func() error { _, err := l.heatmap(t).Run(t.Context()); return err },
				func() error { j := l.areas(t); j.Looks = Detected; _, err := j.Run(t.Context()); return err },
				func() error { _, err := l.open(t).Folder.Inspect(); return err },
			} {
				err := run()
				if err != nil {
					searchText(t, "an error", err.Error())
				}
			}
			for _, told := range l.told {
				searchText(t, "a message", told)
			}
		})
	}
}

// TestRefusalsNameNobody: notes, stimuli and lists of people that are refused
// are refused before the charge, without the names.
func TestRefusalsNameNobody(t *testing.T) {
	for _, note := range []string{"with Quokka 03", "QUOKKA 03.", "at 14:30:00", "in /home/lab/data", `in C:\data`} {
		l := newLab(t)
		l.table(t, "recordings.csv", 5)
		j := l.heatmap(t)
		j.Note = note
		_, err := j.Run(t.Context())
		if err == nil {
			t.Errorf("the note %q was taken", note)
			continue
		}
		searchText(t, "an error", err.Error())
		if n := len(l.entries(t)); n != 0 {
			t.Errorf("%d charges for a note that was refused", n)
		}
		if left := l.leftovers(t); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// TestPathsStayOut: a folder that cannot be opened is not named.
func TestPathsStayOut(t *testing.T) {
	_, err := OpenData(filepath.Join(t.TempDir(), "Quokka Anna", "Wombat.csv"), DataOptions{})
	if err == nil {
		t.Fatal("a file that is not there was opened")
	}
	searchText(t, "an error", err.Error())
}
