package npy

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// Array is a named array of numbers, the last index running fastest.
type Array struct {
	Name   string // within an archive
	Shape  []int
	Values []float64
}

func (a *Array) check() error {
	n := 1
	for _, d := range a.Shape {
		if d < 0 {
			return fmt.Errorf("npy: shape %v: want no negative length", a.Shape)
		}
		n *= d
	}
	if n != len(a.Values) {
		return fmt.Errorf("npy: shape %v has %d values, got %d", a.Shape, n, len(a.Values))
	}
	return nil
}

// Write writes an array as .npy: 64-bit floating-point numbers.
func Write(w io.Writer, a Array) error {
	if err := a.check(); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	if _, err := b.Write(describe(a.Shape)); err != nil {
		return err
	}
	var cell [8]byte
	for _, v := range a.Values {
		binary.LittleEndian.PutUint64(cell[:], math.Float64bits(v))
		if _, err := b.Write(cell[:]); err != nil {
			return err
		}
	}
	return b.Flush()
}

// describe returns the header, padded so that the numbers begin at a multiple
// of 64 bytes.
func describe(shape []int) []byte {
	var dims strings.Builder
	for _, d := range shape {
		fmt.Fprintf(&dims, "%d, ", d)
	}
	list := strings.TrimSuffix(dims.String(), " ")
	if len(shape) > 1 {
		list = strings.TrimSuffix(list, ",")
	}
	text := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", list)
	for (10+len(text)+1)%64 != 0 {
		text += " "
	}
	text += "\n"
	head := append([]byte(nil), magic...)
	head = append(head, 1, 0)
	head = binary.LittleEndian.AppendUint16(head, uint16(len(text)))
	return append(head, text...)
}

// WriteArchive writes arrays as .npz, which NumPy's load opens by their names.
// Equal arrays give equal bytes: there are no dates in it.
func WriteArchive(w io.Writer, arrays ...Array) error {
	z := zip.NewWriter(w)
	seen := make(map[string]bool)
	for _, a := range arrays {
		if a.Name == "" || seen[a.Name] {
			return fmt.Errorf("npy: arrays in an archive need different names, got %q", a.Name)
		}
		seen[a.Name] = true
		f, err := z.CreateHeader(&zip.FileHeader{Name: a.Name + ".npy", Method: zip.Deflate})
		if err != nil {
			return err
		}
		if err := Write(f, a); err != nil {
			return err
		}
	}
	return z.Close()
}
