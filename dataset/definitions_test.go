package dataset_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// features is a headless table of n rows.
func features(n, columns int) []byte {
	var b strings.Builder
	for i := range n {
		for k := range columns {
			if k > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "%g", float64(i)+float64(k)/64)
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

func TestFeatureSets(t *testing.T) {
	for _, c := range []struct {
		name, file string
		columns    int
		step       time.Duration
		label      [2]string
	}{
		{"mpiidpeye", "Eye_Movement_Features/Data_P%d_R2_Pami_Features_52.csv", 52, time.Second / 2, [2]string{"document", "newspaper"}},
		{"mpiiprivaceye", "Features_and_Ground_Truth/P%d_R2_data.csv", 53, time.Second, [2]string{"session", "2"}},
	} {
		fsys := fstest.MapFS{}
		for _, p := range []int{1, 2, 10} {
			fsys[fmt.Sprintf(c.file, p)] = &fstest.MapFile{Data: features(5, c.columns)}
		}
		f := folder(t, fsys)
		if f.Definition.Name != c.name {
			t.Fatalf("%s, want %s", f.Definition.Name, c.name)
		}
		people, err := f.Participants()
		if err != nil || !slices.Equal(people, []string{"1", "2", "10"}) {
			t.Errorf("%s: %v %v", c.name, people, err)
		}
		recs, err := gaze.Collect(f.Recordings(nil))
		if err != nil || len(recs) != 3 {
			t.Fatalf("%s: %d recordings, %v", c.name, len(recs), err)
		}
		r := recs[0]
		if len(r.Samples.Signals) != c.columns || r.Samples.T[4] != 4*c.step || r.Samples.Signals[27].Name != "blink_rate" || r.Samples.Signals[27].Values[1] != 1+27./64 {
			t.Errorf("%s: %d signals, %v", c.name, len(r.Samples.Signals), r.Samples.T)
		}
		if got, ok := f.Definition.Label(c.label[0], &r.Header); !ok || got != c.label[1] {
			t.Errorf("%s: label %q", c.name, got)
		}
	}
}

func zipped(s string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(s)) // to memory
	_ = w.Close()
	return b.Bytes()
}

// The two sets name their files almost alike, and rounds are not one session.
func TestGazeBases(t *testing.T) {
	flat := "n,x,y,val,dP,lab,xT,yT\n0,1,2,0,900,1,NaN,NaN\n"
	headset := "n,x,y,lx,ly,rx,ry,xT,yT,zT,clx,cly,clz,crx,cry,crz\n0.0,1,2,1,2,1,2,0,0,0,0,0,0,0,0,0\n"
	for name, fsys := range map[string]fstest.MapFS{
		"gazebase":   {"Round_1/S_1001_S2_TEX.csv": {Data: []byte(flat)}, "Round_2/S_2001_S2_TEX.csv": {Data: []byte(flat)}},
		"gazebasevr": {"data/S_1002_S2_1_VRG.csv": {Data: []byte(headset)}, "data/S_2002_S2_1_VRG.csv": {Data: []byte(headset)}},
	} {
		f := folder(t, fsys)
		recs, err := gaze.Collect(f.Recordings(nil))
		if err != nil || f.Definition.Name != name || len(recs) != 2 {
			t.Fatalf("%s: %d recordings of %s, %v", name, len(recs), f.Definition.Name, err)
		}
		if a, b := recs[0], recs[1]; a.Session != "1-2" || b.Session != "2-2" || a.Participant != b.Participant || len(a.Task) != 3 {
			t.Errorf("%s: %+v %+v", name, a.Header, b.Header)
		}
	}
}

// A BIDS folder is read by its recordings; sidecars, events and empty files do
// not stop it.
func TestBIDS(t *testing.T) {
	const base = "sub-01/ses-2/beh/sub-01_ses-2_task-look_run-1_recording-eye1_physio"
	f := folder(t, fstest.MapFS{
		"dataset_description.json": {Data: []byte(`{"BIDSVersion": "1.11.0"}`)}, "participants.tsv": {Data: []byte("participant_id\nsub-01\n")},
		"task-look_physio.json": {Data: []byte(`{"PhysioType": "eyetrack", "SamplingFrequency": 250, "Columns": ["timestamp", "x_coordinate", "y_coordinate"],
			"timestamp": {"Units": "ms"}, "x_coordinate": {"Units": "pixel"}, "RecordedEye": "left"}`)},
		base + ".tsv.gz": {Data: zipped("0\t1\t2\n4\t1\t2\n")},
		"sub-02/beh/sub-02_task-look_recording-eye1_physio.tsv.gz": {Data: zipped("")},
	})
	recs, err := gaze.Collect(f.Recordings(nil))
	if err != nil || len(recs) != 1 || f.Definition.Name != "bids" {
		t.Fatalf("%s: %d recordings, %v", f.Definition.Name, len(recs), err)
	}
	if h := recs[0].Header; h.Participant != "01" || h.Session != "2" || h.Task != "look" || h.Rate != 250 || h.Unit != gaze.Pixels {
		t.Errorf("%+v", h)
	}
}
