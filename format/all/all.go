package all

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gazeward/gazeward/format"
)

// Formats lists the formats, the most specific first.
func Formats() []format.Format {
	return []format.Format{}
}

// ByName returns the format with a name.
func ByName(name string) (format.Format, error) {
	var names []string
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return format.Format{}, fmt.Errorf("format: no format %q: want one of %v", name, names)
}

// Sniff returns the format a file's beginning fits best, with the reasons.
// Errors are *[format.UnknownError] and *[format.AmbiguousError]. A format
// without Read is returned like the others: its Hint says why it is refused.
func Sniff(h format.Head) (format.Format, format.Match, error) {
	var tried []format.Candidate
	found := make(map[string]format.Format)
	for _, f := range Formats() {
		found[f.Name] = f
		tried = append(tried, format.Candidate{Name: f.Name, Match: f.Detect(h)})
	}
	slices.SortStableFunc(tried, func(a, b format.Candidate) int { return cmp.Compare(b.Score, a.Score) })
	if len(tried) == 0 || tried[0].Score <= format.No {
		return format.Format{}, format.Match{}, &format.UnknownError{File: h.Name, Tried: tried}
	}
	best := tried[0]
	tied := slices.IndexFunc(tried, func(c format.Candidate) bool { return c.Score < best.Score })
	if tied > 1 || tied < 0 && len(tried) > 1 {
		if tied < 0 {
			tied = len(tried)
		}
		return format.Format{}, format.Match{}, &format.AmbiguousError{File: h.Name, Candidates: tried[:tied]}
	}
	return found[best.Name], best.Match, nil
}
