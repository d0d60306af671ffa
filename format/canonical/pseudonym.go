package canonical

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/gazeward/gazeward/gaze"
)

// Names replaces what may say who was recorded, and when, in headers on their
// way into a file:
//
//   - the participant becomes a pseudonym
//   - session and trial stay where they are plain numbers of at most three
//     digits, with or without a usual word (session 2, ses-02, trial_17, 1-2);
//     else they become pseudonyms: they may be dates or free text
//   - task and stimulus stay, without the folders before them; they become
//     pseudonyms where they hold the participant's or session's name or a date
//
// Equal names get equal pseudonyms.
type Names struct {
	// Pseudonym is a keyed hash whose key stays with the curator. Required.
	Pseudonym func(parts ...string) string
}

// pseudonymDigits is enough for a million names without a collision (the
// chance is below 1 in 10 million).
const pseudonymDigits = 16

func (n Names) of(kind, name string) string {
	p := n.Pseudonym(kind, name)
	return p[:min(len(p), pseudonymDigits)]
}

// Replace replaces the names in a header.
func (n Names) Replace(h *gaze.Header) {
	who := []string{h.Participant}
	if !harmless(h.Session) {
		who = append(who, h.Session)
	}
	h.Task = n.public("task", h.Task, who)
	h.Stimulus = n.public("stimulus", h.Stimulus, who)
	h.Session = n.number("session", h.Session)
	h.Trial = n.number("trial", h.Trial)
	if h.Participant != "" {
		h.Participant = n.of("participant", h.Participant)
	}
}

var plainNumber = regexp.MustCompile(`(?i)^(?:(?:session|ses|s|trial|t|run|r|block|b|part|p|visit|v|round|day|d|page|item|image|img)[ _-]?)?\d{1,3}$|^\d-\d$`)

func harmless(s string) bool { return s == "" || plainNumber.MatchString(s) }

func (n Names) number(kind, name string) string {
	if harmless(name) {
		return name
	}
	return n.of(kind, name)
}

func (n Names) public(kind, name string, who []string) string {
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	if base == "" && name != "" || hasDate(base) {
		return n.of(kind, name)
	}
	for _, w := range who {
		if telling(w) && strings.Contains(strings.ToLower(base), strings.ToLower(w)) {
			return n.of(kind, name)
		}
	}
	return base
}

// telling reports a name long enough to be recognised inside another.
func telling(name string) bool {
	return len(name) >= 3 && (strings.IndexFunc(name, unicode.IsLetter) >= 0 || len(name) >= 5)
}

var date = regexp.MustCompile(`(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d\d` +
	`|(?:19|20)\d\d[-_. ](?:0?[1-9]|1[0-2])[-_. ](?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[-_. ](?:0?[1-9]|1[0-2])[-_. ](?:19|20)\d\d`)

func hasDate(s string) bool { return date.MatchString(s) }

// Anonymous streams recordings under pseudonyms.
func (n Names) Anonymous(pieces gaze.Seq) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		for r, err := range pieces {
			if r == nil {
				if !yield(nil, err) {
					return
				}
				continue
			}
			masked := *r
			n.Replace(&masked.Header)
			if !yield(&masked, err) {
				return
			}
		}
	}
}
