package feature

// lexicon counts words of one length. Adding and removing keep the largest
// count and the sum of squares at hand in constant time.
type lexicon struct {
	count   map[uint32]int32
	having  []int32 // how many words are counted so many times, from index 1
	most    int32
	n       int64
	squares int64
}

func (l *lexicon) add(word uint32) {
	c := l.count[word]
	l.count[word] = c + 1
	if c > 0 {
		l.having[c]--
	}
	if int(c)+1 >= len(l.having) {
		l.having = append(l.having, make([]int32, int(c)+2-len(l.having))...)
	}
	l.having[c+1]++
	l.most = max(l.most, c+1)
	l.n++
	l.squares += 2*int64(c) + 1
}

func (l *lexicon) remove(word uint32) {
	c := l.count[word]
	if c == 1 {
		delete(l.count, word)
	} else {
		l.count[word] = c - 1
		l.having[c-1]++
	}
	if l.having[c]--; l.having[c] == 0 && l.most == c {
		l.most--
	}
	l.n--
	l.squares -= 2*int64(c) - 1
}

// writing is the string of letters in the window with its words of all lengths,
// growing and shrinking at both ends.
type writing struct {
	letters  []uint32 // ring
	head, n  int
	base     uint32 // letters of the alphabet
	lexicons [longestWord]lexicon
}

func newWriting(a Alphabet) writing {
	w := writing{base: uint32(a.Letters()), letters: make([]uint32, 64)}
	for i := range w.lexicons {
		w.lexicons[i].count = map[uint32]int32{}
	}
	return w
}

func (w *writing) at(i int) uint32 { return w.letters[(w.head+i)&(len(w.letters)-1)] }

// word is the number of the word of a length that begins at the i-th letter.
func (w *writing) word(i, length int) uint32 {
	var number uint32
	for j := range length {
		number = number*w.base + w.at(i+j)
	}
	return number
}

func (w *writing) room() {
	if w.n < len(w.letters) {
		return
	}
	larger := make([]uint32, 2*len(w.letters))
	for i := range w.n {
		larger[i] = w.at(i)
	}
	w.letters, w.head = larger, 0
}

func (w *writing) pushBack(letter uint32) {
	w.room()
	w.letters[(w.head+w.n)&(len(w.letters)-1)] = letter
	w.n++
	for length := 1; length <= min(longestWord, w.n); length++ {
		w.lexicons[length-1].add(w.word(w.n-length, length))
	}
}

func (w *writing) pushFront(letter uint32) {
	w.room()
	w.head = (w.head - 1) & (len(w.letters) - 1)
	w.letters[w.head] = letter
	w.n++
	for length := 1; length <= min(longestWord, w.n); length++ {
		w.lexicons[length-1].add(w.word(0, length))
	}
}

func (w *writing) popBack() {
	for length := 1; length <= min(longestWord, w.n); length++ {
		w.lexicons[length-1].remove(w.word(w.n-length, length))
	}
	w.n--
}

func (w *writing) popFront() {
	for length := 1; length <= min(longestWord, w.n); length++ {
		w.lexicons[length-1].remove(w.word(0, length))
	}
	w.head = (w.head + 1) & (len(w.letters) - 1)
	w.n--
}

// fill writes the six statistics of each length: over all possible words, the
// uncounted ones too.
func (w *writing) fill(values *[Count]float64, a Alphabet) {
	for i := range w.lexicons {
		l, length := &w.lexicons[i], i+1
		all := int64(a.Words(length))
		values[word(length, wordDistinct)] = float64(len(l.count))
		values[word(length, wordMax)] = float64(l.most)
		values[word(length, wordMin)] = 0
		values[word(length, wordRange)] = float64(l.most)
		values[word(length, wordMean)] = float64(l.n) / float64(all)
		values[word(length, wordVar)] = float64(all*l.squares-l.n*l.n) / float64(all*all)
	}
}
