package bids

import (
	"path"
	"regexp"
	"strings"
)

// entity is a part of a file name such as sub-01.
type entity struct{ key, value string }

// fileName is a BIDS file name taken apart.
type fileName struct {
	dir      string
	entities []entity
	suffix   string // physio, physioevents, events
	ending   string // .tsv.gz
}

var nameOf = regexp.MustCompile(`^(sub-[A-Za-z0-9]+(?:_[a-z]+-[A-Za-z0-9]+)*)_([a-zA-Z]+)(\.[a-z.]+)$`)

// parseName takes a path apart; false if it is no BIDS name of a subject's
// file.
func parseName(full string) (fileName, bool) {
	m := nameOf.FindStringSubmatch(path.Base(full))
	if m == nil {
		return fileName{}, false
	}
	n := fileName{dir: path.Dir(full), suffix: m[2], ending: m[3]}
	for part := range strings.SplitSeq(m[1], "_") {
		key, value, _ := strings.Cut(part, "-")
		n.entities = append(n.entities, entity{key, value})
	}
	return n, len(n.entities) <= maxEntities
}

// maxEntities bounds the names that are tried for a sidecar.
const maxEntities = 9

func (n fileName) get(key string) string {
	for _, e := range n.entities {
		if e.key == key {
			return e.value
		}
	}
	return ""
}

// of returns the name of another recording entity.
func (n fileName) of(recording string) fileName {
	n.entities = append([]entity(nil), n.entities...)
	for i := range n.entities {
		if n.entities[i].key == "recording" {
			n.entities[i].value = recording
		}
	}
	return n
}

// with returns the name with other suffix, ending and recording; an empty
// recording leaves the entity out.
func (n fileName) with(recording, suffix, ending string) string {
	var parts []string
	for _, e := range n.entities {
		if e.key == "recording" {
			if recording == "" {
				continue
			}
			e.value = recording
		}
		parts = append(parts, e.key+"-"+e.value)
	}
	return path.Join(n.dir, strings.Join(append(parts, suffix), "_")+ending)
}

// sidecars lists where metadata of a suffix may stand, what counts last first:
// in each folder from the data set's down to the file's own, under every
// selection of the file's entities, few of them before many.
func (n fileName) sidecars(suffix string) []string {
	var names []string
	for size := 0; size <= len(n.entities); size++ {
		for set := range 1 << len(n.entities) {
			if count(set) == size {
				names = append(names, n.selection(set, suffix))
			}
		}
	}
	var all []string
	for _, dir := range above(n.dir) {
		for _, name := range names {
			all = append(all, path.Join(dir, name))
		}
	}
	return all
}

func (n fileName) selection(set int, suffix string) string {
	var parts []string
	for i, e := range n.entities {
		if set>>i&1 == 1 {
			parts = append(parts, e.key+"-"+e.value)
		}
	}
	return strings.Join(append(parts, suffix), "_") + ".json"
}

func count(set int) int {
	n := 0
	for ; set > 0; set &= set - 1 {
		n++
	}
	return n
}

// above lists a folder and those above it, at most five, the highest first.
func above(dir string) []string {
	dirs := []string{dir}
	for dir != "." && dir != "/" && len(dirs) < 5 {
		dir = path.Dir(dir)
		dirs = append([]string{dir}, dirs...)
	}
	return dirs
}
