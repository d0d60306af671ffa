package curator

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
	"github.com/gazeward/gazeward/noise"
)

// lab is a folder of recordings as a careless laboratory keeps it: everything
// that tells who was recorded, when and where is a word of its own, so that it
// can be searched for.
type lab struct {
	dir     string
	home    Home
	told    []string
	toldMu  sync.Mutex
	counter int
}

// screen is what the lab knows of its screen.
var screen = gaze.Screen{Width: 320, Height: 240, WidthCm: 16, HeightCm: 12, DistanceCm: 60}

// The lab's secrets: none may be found in a release, a ledger or a message. They
// are too long to stand by chance in what is drawn, hashed or compressed.
var secrets = []string{
	"Quokka", "Wombat", "Numbat", "Echidna", "Bandicoot", // people, sessions, folders, mail, machine
	"1714566612", "2024-05-01", "14:30", // when
	"Kowari", // a column's contents that nobody asked for
}

func newLab(t *testing.T) *lab {
	t.Helper()
	root := t.TempDir()
	l := &lab{dir: filepath.Join(root, "Numbat-clinic", "data"), home: Home{Dir: filepath.Join(root, "home")}}
	if err := os.MkdirAll(l.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return l
}

// table writes n people, one session each, who look around the hill.
func (l *lab) table(t *testing.T, name string, n int) {
	t.Helper()
	var b strings.Builder
	b.WriteString("participant,session,email,computer,recording date,stimulus,time [us],x [px],y [px],comment\n")
	for p := range n {
		for i := range 60 {
			x, y := 40+float64(p*17%200)+float64(i/20*30), 60+float64(p*29%100)+float64(i%3)
			fmt.Fprintf(&b, "Quokka %02d,Wombat%d,a%d@Echidna.org,Bandicoot-PC,2024-05-01 14:30:0%d,hill,%d,%.1f,%.1f,Kowari\n",
				p, p, p, p%10, 1714566612345000+i*10000, x, y)
		}
	}
	l.write(t, name, b.String())
}

func (l *lab) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(l.dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (l *lab) open(t *testing.T) *Data {
	t.Helper()
	d, err := OpenData(l.dir, DataOptions{Screen: screen})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// job is a job that remembers what it was told; its output is a new folder.
func (l *lab) job(t *testing.T) Job {
	t.Helper()
	l.counter++
	return Job{
		Data: l.open(t), Home: l.home, Out: filepath.Join(filepath.Dir(l.home.Dir), fmt.Sprintf("release-%d", l.counter)), Source: noise.Secure(),
		Tell: func(format string, a ...any) {
			l.toldMu.Lock()
			defer l.toldMu.Unlock()
			l.told = append(l.told, fmt.Sprintf(format, a...))
		},
	}
}

func (l *lab) heatmap(t *testing.T) *HeatmapJob {
	t.Helper()
	return &HeatmapJob{Job: l.job(t), Spec: spec(t, "heatmap", "halfblur"),
		Values: map[string]string{"epsilon": "1", "delta": "1e-3", "blur": "20px", "picture": "plain"}}
}

func (l *lab) areas(t *testing.T) *AOIJob {
	t.Helper()
	areas, err := grid.ParseAOIs(strings.NewReader("name,x,y,width,height\nleft,0,0,160,240\nright,160,0,160,240\n"))
	if err != nil {
		t.Fatal(err)
	}
	return &AOIJob{Job: l.job(t), Spec: spec(t, "aoi", "gaussian"), Areas: areas, Values: map[string]string{"epsilon": "1", "delta": "1e-3"}}
}

func spec(t *testing.T, product, name string) mechanism.Spec {
	t.Helper()
	s, err := all.ByName(product, name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// entries are what the ledger holds; none where there is no ledger.
func (l *lab) entries(t *testing.T) []account.Entry {
	t.Helper()
	if _, err := os.Stat(l.home.LedgerPath()); os.IsNotExist(err) {
		return nil
	}
	ledger, err := l.home.ReadLedger(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer ledger.Close()
	if err := ledger.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	entries, err := ledger.Entries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// leftovers are the files beside the lab's home, hidden ones too, other than
// the lab itself and what is expected.
func (l *lab) leftovers(t *testing.T, expected ...string) []string {
	t.Helper()
	root := filepath.Dir(l.home.Dir)
	found, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range found {
		known := e.Name() == "Numbat-clinic" || e.Name() == filepath.Base(l.home.Dir)
		for _, x := range expected {
			known = known || x == filepath.Join(root, e.Name())
		}
		if !known {
			names = append(names, e.Name())
		}
	}
	return names
}
