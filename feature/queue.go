package feature

// queue is first in, first out, without moving memory for every element.
type queue[T any] struct {
	items []T
	head  int
}

func (q *queue[T]) len() int    { return len(q.items) - q.head }
func (q *queue[T]) at(i int) *T { return &q.items[q.head+i] }
func (q *queue[T]) push(v T)    { q.items = append(q.items, v) }
func (q *queue[T]) last() *T    { return &q.items[len(q.items)-1] }
func (q *queue[T]) dropLast()   { q.items = q.items[:len(q.items)-1] }
func (q *queue[T]) clear()      { q.items, q.head = q.items[:0], 0 }

// drop takes n elements away from the front. What is left moves when it is the
// smaller half, which costs a constant per element.
func (q *queue[T]) drop(n int) {
	if q.head += n; 2*q.head >= len(q.items) {
		kept := copy(q.items, q.items[q.head:])
		q.items, q.head = q.items[:kept], 0
	}
}

// maxima knows the largest of what is in a window: it keeps those that are
// larger than everything after them.
type maxima struct{ q queue[maximum] }

type maximum struct {
	run   int
	value int64
}

func (m *maxima) push(run int, v int64) {
	for m.q.len() > 0 && m.q.last().value <= v {
		m.q.dropLast()
	}
	m.q.push(maximum{run, v})
}

// forget takes away what came with a run or before.
func (m *maxima) forget(run int) {
	for m.q.len() > 0 && m.q.at(0).run <= run {
		m.q.drop(1)
	}
}

func (m *maxima) value() int64 {
	if m.q.len() == 0 {
		return 0
	}
	return m.q.at(0).value
}
