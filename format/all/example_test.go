package all_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/gazeward/gazeward/format/all"
)

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "recordings")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "S01.csv")
	if err := os.WriteFile(file, []byte("participant,t_ms,x_px,y_px\nA,0,1,2\nA,4,1,2\nB,0,5,6\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	recordings, err := all.Open(file)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range recordings {
		fmt.Println(r.Samples.Len(), "samples in", r.Unit)
	}
	// Output:
	// 2 samples in px
	// 1 samples in px
}
