package matlab

import (
	"bytes"

	"github.com/gazeward/gazeward/format"
)

// Format returns the format of MATLAB files up to version 7.
func Format() format.Format {
	return format.Format{
		Name: "matlab", Title: "MATLAB v5", Extensions: []string{".mat"},
		Detect: detect, Read: Read,
	}
}

// HDF5 returns the format of HDF5 and MATLAB 7.3 files, which are refused.
func HDF5() format.Format {
	return format.Format{
		Name: "hdf5", Title: "HDF5 or MATLAB 7.3", Extensions: []string{".mat", ".h5", ".hdf5"},
		Detect: detectHDF5,
		Hint:   "save it in MATLAB with save(FILE, '-v7'), or write the table as CSV or Parquet (h5dump, h5py, pandas)",
	}
}

func detect(h format.Head) format.Match {
	if len(h.Raw) < headerSize {
		return format.Match{Why: []string{"shorter than a MATLAB header"}}
	}
	_, ordered := byteOrder(h.Raw)
	if !bytes.HasPrefix(h.Raw, []byte("MATLAB 5.0")) && !(ordered && bytes.HasPrefix(h.Raw, []byte("MATLAB"))) {
		return format.Match{Why: []string{"does not begin with MATLAB 5.0"}}
	}
	if bytes.HasPrefix(h.Raw, []byte("MATLAB 7.3")) {
		return format.Match{Why: []string{"MATLAB 7.3 is HDF5"}}
	}
	return format.Match{Score: 100, Why: []string{"begins with MATLAB 5.0"}}
}

func detectHDF5(h format.Head) format.Match {
	magic := []byte("\x89HDF\r\n\x1a\n")
	for at := 0; at+len(magic) <= len(h.Raw); at = max(512, 2*at) {
		if bytes.HasPrefix(h.Raw[at:], magic) {
			return format.Match{Score: 100, Why: []string{"HDF5 signature"}}
		}
	}
	if bytes.HasPrefix(h.Raw, []byte("MATLAB 7.3")) {
		return format.Match{Score: 100, Why: []string{"begins with MATLAB 7.3"}}
	}
	return format.Match{Why: []string{"no HDF5 signature"}}
}
