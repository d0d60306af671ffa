package bids

import (
	"bytes"
	"strings"

	"github.com/gazeward/gazeward/format"
)

// Format returns the format of BIDS eye-tracking recordings.
func Format() format.Format {
	return format.Format{
		Name: "bids", Title: "BIDS *_physio.tsv.gz", Extensions: []string{"_physio.tsv.gz"},
		Detect: detect, Read: Read,
	}
}

// Beside returns the format of the files that accompany recordings in BIDS:
// none of them is a recording by itself.
func Beside() format.Format {
	return format.Format{
		Name: "bids-companion", Title: "BIDS sidecar", Extensions: []string{".json", ".tsv"}, Detect: detectBeside,
		Hint: "open the data set's folder, or its *_physio.tsv.gz files",
	}
}

func detect(h format.Head) format.Match {
	n, ok := parseName(h.Name)
	switch {
	case !ok || n.suffix != "physio" || !strings.HasPrefix(n.ending, ".tsv"):
		return format.Match{Why: []string{"not named sub-…_physio.tsv.gz"}}
	case len(h.Raw) > 0 && h.Text == nil:
		return format.Match{Why: []string{"binary, not text"}}
	}
	return format.Match{Score: 95, Why: []string{"named sub-…_physio.tsv.gz"}}
}

const recordings = "the *_physio.tsv.gz files"

func detectBeside(h format.Head) format.Match {
	n, subject := parseName(h.Name)
	switch {
	case subject && (n.suffix == "events" || n.suffix == "physioevents" || n.ending == ".json"):
		return format.Match{Score: 95, Why: []string{"named like a BIDS sidecar or events"}, Companion: recordings}
	case strings.HasSuffix(h.Name, "_physio.json"), strings.HasSuffix(h.Name, "_physioevents.json"), strings.HasSuffix(h.Name, "_events.json"):
		return format.Match{Score: 90, Why: []string{"named like a BIDS sidecar"}, Companion: recordings}
	case h.Name == "dataset_description.json" && bytes.Contains(h.Raw, []byte("BIDSVersion")):
		return format.Match{Score: 100, Why: []string{"states a BIDSVersion"}, Companion: recordings}
	case (h.Name == "participants.tsv" || h.Name == "participants.json") && bytes.Contains(h.Raw, []byte("participant_id")):
		return format.Match{Score: 95, Why: []string{"lists BIDS participants"}, Companion: recordings}
	case strings.HasPrefix(h.Name, "task-") && strings.HasSuffix(h.Name, "_events.tsv"):
		return format.Match{Score: 90, Why: []string{"named like BIDS events"}, Companion: recordings}
	}
	return format.Match{Why: []string{"not named like a file of BIDS"}}
}
