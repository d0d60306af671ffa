package eyelink

import (
	"bytes"

	"github.com/gazeward/gazeward/format"
)

// counts are the oddities of a file.
type counts struct {
	blocks, emptyBlocks, unended int
	outside, incomplete, badTime int
	noNumber, overflow, spread   int
	unknown, badScreen           int
	splits, noTrial, otherEvents int
	badDuration                  int
	early, cutEvents             int
}

func ignore(*reader, []byte) {}

func inputLine(r *reader, _ []byte)  { r.o.Report.Drop("input port") }
func buttonLine(r *reader, _ []byte) { r.o.Report.Drop("buttons") }

// headerLine drops a ** line: they hold paths, names, dates, serial numbers.
func headerLine(r *reader, rest []byte) {
	for _, what := range [...]string{"CONVERTED FROM", "DATE", "RECORDED BY", "SERIAL NUMBER", "CAMERA_CONFIG"} {
		if bytes.HasPrefix(rest, []byte(what)) {
			r.o.Report.DropIdentity("** " + what)
			return
		}
	}
	if len(rest) > 0 {
		r.o.Report.Drop("other ** header lines")
	}
}

// handle finds the function for a line's first word.
func handle(word []byte) func(*reader, []byte) {
	switch string(word) {
	case "MSG":
		return message
	case "**":
		return headerLine
	case "START":
		return startLine
	case "END":
		return endLine
	case "SAMPLES":
		return samplesLine
	case "EVENTS":
		return eventsLine
	case "PUPIL":
		return pupilLine
	case "EFIX":
		return fixationEnd
	case "ESACC":
		return saccadeEnd
	case "SBLINK":
		return blinkStart
	case "EBLINK":
		return blinkEnd
	case "INPUT":
		return inputLine
	case "BUTTON":
		return buttonLine
	case "SFIX", "SSACC", "PRESCALER", "VPRESCALER":
		return ignore
	}
	return nil
}

// finish ends the last block and says why nothing was read, if so.
func (r *reader) finish() error {
	if r.block.open {
		r.count.unended++
		r.close()
	}
	if err := r.lines.Err(); err != nil {
		return err
	}
	if r.b.Recordings() > 0 || r.b.Stopped() {
		return nil
	}
	switch {
	case r.count.incomplete > 0 && r.count.blocks > 0:
		return r.lines.Errorf("%d recording blocks, but none of their lines is complete: the file is damaged", r.count.blocks)
	case r.count.outside > 0:
		return r.lines.Errorf("sample lines, but no START and SAMPLES lines that tell what they hold")
	}
	return format.Empty(r.in.Name, r.lines.Number())
}

// report notes what was odd.
func (r *reader) report() {
	c := &r.count
	for _, q := range [...]struct {
		text string
		n    int
	}{
		{"recording block without samples and events (left out)", c.emptyBlocks},
		{"recording block without END: recording aborted or file truncated", c.unended},
		{"sample line outside a recording block (left out)", c.outside},
		{"incomplete line (left out)", c.incomplete},
		{"time stamp out of range (line left out)", c.badTime},
		{"cell that is no number (counted as lost)", c.noNumber},
		{"overflow value in a position (counted as lost)", c.overflow},
		{"time stamp repeated because it is in whole ms (spread by the sampling interval)", c.spread},
		{"line of unknown kind (ignored)", c.unknown},
		{"unusable DISPLAY_COORDS, GAZE_COORDS, screen_phys_coords or screen_distance (ignored)", c.badScreen},
		{"further TRIALID inside a recording block (a recording of its own begins)", c.splits},
		{"TRIALID without samples and events (left out)", c.noTrial},
		{"event that goes on into the next trial (only its part there is kept)", c.cutEvents},
		{"event that ended before the trial in which it is stated (left out)", c.early},
		{"event duration that contradicts its start and end (computed from these)", c.badDuration},
		{"event position that is not in gaze coordinates (left out)", c.otherEvents},
	} {
		r.o.Report.CountSome(q.text, q.n)
	}
	if e := r.in.Encoding(); e != "" {
		r.o.Report.Count("text is "+e, 0)
	}
}
