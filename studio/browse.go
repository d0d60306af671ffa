package studio

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// browseView is a folder of this machine, to find recordings in.
type browseView struct {
	Path    string       `json:"path"`
	Parent  string       `json:"parent,omitempty"` // address of the folder above
	Folders []browseLink `json:"folders"`
	Files   []string     `json:"files"`   // the first of them
	Count   int          `json:"count"`   // of all files
	Further int          `json:"further"` // folders that are not listed
}

type browseLink struct {
	Name string `json:"name"`
	Link string `json:"link"`
}

// Bounds on what is listed of one folder.
const mostFolders, mostNames = 400, 12

// browse lists the folders in a folder, without hidden ones. Nothing in them is
// opened.
func (s *Server) browse(w http.ResponseWriter, r *http.Request) error {
	where := r.FormValue("path")
	if where == "" {
		where, _ = os.UserHomeDir()
	}
	if where == "" {
		where = string(filepath.Separator)
	}
	if !filepath.IsAbs(where) {
		return refuse("The path must be a whole one, from the root of the machine.", "For example /home/me/study1/recordings.")
	}
	where = filepath.Clean(where)
	info, err := os.Stat(where)
	if err != nil || !info.IsDir() {
		return missing("There is no such folder on this machine.")
	}
	entries, err := os.ReadDir(where)
	if err != nil {
		return withoutPath(err)
	}
	v := browseView{Path: where, Folders: []browseLink{}, Files: []string{}}
	if up := filepath.Dir(where); up != where {
		v.Parent = to("/browse", "path", up)
	}
	for _, e := range entries {
		v.take(e)
	}
	return s.show(w, r, "browse", frame{Title: "Look for recordings", Tab: "data", Steps: steps(nil, 1), V: v})
}

func (v *browseView) take(e fs.DirEntry) {
	switch {
	case strings.HasPrefix(e.Name(), "."):
	case !e.IsDir() && e.Type()&fs.ModeSymlink != 0 && isDir(filepath.Join(v.Path, e.Name())), e.IsDir():
		if len(v.Folders) == mostFolders {
			v.Further++
			return
		}
		v.Folders = append(v.Folders, browseLink{e.Name(), to("/browse", "path", filepath.Join(v.Path, e.Name()))})
	default:
		if v.Count++; len(v.Files) < mostNames {
			v.Files = append(v.Files, e.Name())
		}
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
