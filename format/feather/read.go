package feather

import (
	"errors"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/canonical"
)

// metaKey is the key under which a table's sidecar lies in the schema, and
// eyesKey the one that says whose positions a list column holds.
const (
	metaKey = "gazeward"
	eyesKey = "gazeward.eyes"
)

// table is a file as columns of single values: lists are taken apart.
type table struct {
	r       *ipc.FileReader
	size    int64
	meta    []byte
	columns []flat
}

// flat is a column of the table: one of the file, or an element of its lists.
type flat struct {
	name    string
	field   int
	element int // -1 = the column itself
}

// safely runs what reads a file's structures. Arrow panics on damaged ones.
func safely(f func() error) (err error) {
	defer func() {
		switch recover().(type) {
		case nil:
		case tooMuch:
			err = format.ErrBomb
		default:
			err = errors.New("damaged Arrow data")
		}
	}()
	return f()
}

// tooMuch is the panic of an exhausted allocator.
type tooMuch struct{}

// bounded limits what a file makes Arrow reserve.
type bounded struct {
	memory.Allocator
	left int
}

func (b *bounded) take(n int) {
	if b.left -= n; b.left < 0 || n < 0 {
		panic(tooMuch{})
	}
}

// Allocate reserves memory within the limit.
func (b *bounded) Allocate(n int) []byte { b.take(n); return b.Allocator.Allocate(n) }

// Reallocate reserves memory within the limit.
func (b *bounded) Reallocate(n int, old []byte) []byte {
	b.take(n - len(old))
	return b.Allocator.Reallocate(n, old)
}

// Free gives memory back.
func (b *bounded) Free(old []byte) { b.left += len(old); b.Allocator.Free(old) }

func open(in *format.Input) (*table, error) {
	r, size, err := random(in)
	if err != nil {
		return nil, err
	}
	if err := check(r, size); err != nil {
		return nil, err
	}
	t := &table{size: size}
	limit := max(4*format.MaxFree, min(format.MaxRatio*size, 4<<30))
	err = safely(func() (err error) {
		t.r, err = ipc.NewFileReader(r,
			ipc.WithAllocator(&bounded{memory.NewGoAllocator(), int(limit)}),
			ipc.WithBodySizeLimit(size), ipc.WithMetadataSizeLimit(min(size, 64<<20)))
		if err != nil {
			return errDamaged
		}
		return t.describe()
	})
	return t, err
}

// describe lists the columns. How many elements lists have is found in the
// first record batch.
func (t *table) describe() error {
	schema := t.r.Schema()
	meta := schema.Metadata()
	if i := meta.FindKey(metaKey); i >= 0 {
		t.meta = []byte(meta.Values()[i])
	}
	for i, f := range schema.Fields() {
		if !isList(f.Type) {
			t.columns = append(t.columns, flat{f.Name, i, -1})
			continue
		}
		n, err := t.elements(i)
		if err != nil {
			return err
		}
		for k, name := range listNames(f, n) {
			t.columns = append(t.columns, flat{name, i, k})
		}
	}
	return nil
}

func isList(t arrow.DataType) bool {
	switch t.ID() {
	case arrow.LIST, arrow.LARGE_LIST, arrow.FIXED_SIZE_LIST, arrow.LIST_VIEW, arrow.LARGE_LIST_VIEW:
		return true
	}
	return false
}

// listNames are the canonical columns where the field says whose they are.
func listNames(f arrow.Field, n int) []string {
	i := f.Metadata.FindKey(eyesKey)
	if i < 0 {
		return canonical.ListColumns(f.Name, n)
	}
	var names []string
	for eye := range strings.SplitSeq(f.Metadata.Values()[i], ",") {
		suffix := "_" + eye
		if eye == "cyclopean" {
			suffix = ""
		}
		names = append(names, "x"+suffix, "y"+suffix)
	}
	if len(names) != n {
		return canonical.ListColumns(f.Name, n)
	}
	return names
}

// elements counts those of the longest list among the first rows.
func (t *table) elements(field int) (int, error) {
	most := 0
	for i := range min(t.r.NumRecords(), 4) {
		batch, err := t.batch(i)
		if err != nil {
			return 0, err
		}
		list, ok := batch.Column(field).(array.ListLike)
		if !ok {
			return 0, errors.New("a list column that is not read")
		}
		for k := range min(list.Len(), 1000) {
			if list.IsValid(k) {
				from, to := list.ValueOffsets(k)
				most = max(most, int(min(to-from, 64)))
			}
		}
		if most > 0 {
			break
		}
	}
	return max(most, 1), nil
}

// batch reads a record batch and checks what it claims.
func (t *table) batch(i int) (arrow.RecordBatch, error) {
	b, err := t.r.RecordBatchAt(i)
	if err != nil {
		return nil, errors.New("a record batch is damaged, or of a kind that is not read")
	}
	if n := b.NumRows(); n > format.MaxFree && n > format.MaxRatio*t.size {
		return nil, format.ErrBomb
	}
	return b, nil
}

func (t *table) names() []string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return names
}

// load copies the needed columns of a record batch, so that whatever is wrong
// with them shows here.
func (t *table) load(i int, need []int) (rows int, all []values, err error) {
	err = safely(func() error {
		batch, err := t.batch(i)
		if err != nil {
			return err
		}
		defer batch.Release()
		rows = int(batch.NumRows())
		all = make([]values, len(t.columns))
		for _, k := range need {
			if all[k].null == nil {
				if all[k], err = t.column(batch, k, rows); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return rows, all, err
}

func (t *table) column(batch arrow.RecordBatch, k, rows int) (values, error) {
	f := &t.columns[k]
	a := batch.Column(f.field)
	at := func(i int) int { return i }
	if f.element >= 0 {
		list := a.(array.ListLike)
		a = list.ListValues()
		at = func(i int) int {
			from, to := list.ValueOffsets(i)
			if list.IsNull(i) || int64(f.element) >= to-from {
				return -1
			}
			return int(from) + f.element
		}
	}
	if dict, ok := a.(*array.Dictionary); ok {
		of := at
		a = dict.Dictionary()
		at = func(i int) int {
			if j := of(i); j >= 0 && dict.IsValid(j) {
				return dict.GetValueIndex(j)
			}
			return -1
		}
	}
	v := values{null: make([]bool, rows)}
	if err := v.copy(a, at, rows); err != nil {
		return v, fmt.Errorf("column %s: %w", format.DisplayName(f.name), err)
	}
	return v, nil
}

// first returns the first rows as texts. Columns of types that are not read
// stay empty.
func (t *table) first(n int) ([][]string, error) {
	if t.r.NumRecords() == 0 {
		return nil, nil
	}
	var rows [][]string
	for k := range t.columns {
		count, all, err := t.load(0, []int{k})
		if err != nil {
			continue
		}
		for len(rows) < min(n, count) {
			rows = append(rows, make([]string, len(t.columns)))
		}
		for i := range rows {
			rows[i][k] = string(all[k].appendText(nil, i))
		}
	}
	return rows, nil
}

// pour fills and adds the rows.
func (t *table) pour(in *format.Input, bind canonical.Bind) error {
	sink, err := bind(t.names(), t.meta)
	if err != nil {
		return err
	}
	err = t.rows(sink)
	if e := sink.Close(); err == nil {
		return e
	}
	return located(in, err)
}

func (t *table) rows(sink canonical.Sink) error {
	slots := sink.Slots()
	var need []int
	for _, s := range slots {
		need = append(need, s.Column)
	}
	row := sink.Row()
	var texts []byte
	for b := range t.r.NumRecords() {
		n, all, err := t.load(b, need)
		if err != nil {
			return err
		}
		for i := range n {
			texts = texts[:0]
			for _, s := range slots {
				texts = all[s.Column].put(row, s, i, texts, sink)
			}
			if !sink.Add(row) {
				return nil
			}
		}
	}
	return nil
}
