package account

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"

	"github.com/gazeward/gazeward/dp"
)

// Spend is one charge: it pays for one draw of noise.
type Spend struct {
	// ID is chosen by the caller and unique in the ledger, 1 to 128 bytes. The
	// same ID is never charged twice; see [ErrDuplicate].
	ID        string
	Guarantee dp.Guarantee
	// What says what is bought: the mechanism and a note, at most 500 bytes.
	// It stays in the ledger for ever, so it names no participant.
	What string
}

// Entry is one spend as it stands in the ledger. Entries of an account form
// a chain: each hash covers the one before it.
type Entry struct {
	ID       string
	Key      Key
	Seq      int64 // number within the account, from 1
	What     string
	Measure  dp.Measure
	Costs    Costs
	Totals   Costs // of the account, this entry included
	Date     string
	PrevHash string
	Hash     string
}

// Charged is the spend as (ε, δ), as basic composition adds it; in a geo
// account ε per unit of distance.
func (e Entry) Charged() Budget {
	return Budget{epsilonOf(e.Costs[Basic].Loss), e.Costs[Basic].Delta}
}

type entryJSON struct {
	ID           string     `json:"id"`
	Dataset      string     `json:"dataset"`
	Participants string     `json:"participants"`
	Unit         string     `json:"unit"`
	Distance     string     `json:"distance,omitempty"`
	Seq          int64      `json:"seq"`
	What         string     `json:"what"`
	Measure      dp.Measure `json:"-"`
	MeasureName  string     `json:"measure"`
	Epsilon      Epsilon    `json:"epsilon"`
	Delta        Delta      `json:"delta"`
	Rho          *Loss      `json:"rho"`        // null: zCDP composition cannot add this spend
	MuSquared    *Loss      `json:"mu_squared"` // null: Gaussian composition cannot add this spend
	Date         string     `json:"date"`
	PrevHash     string     `json:"prev_hash"`
	Hash         string     `json:"hash"`
}

// MarshalJSON writes numbers as plain decimals.
func (e Entry) MarshalJSON() ([]byte, error) {
	charged := e.Charged()
	known := func(t Theorem) *Loss {
		if l := e.Costs[t].Loss; l != unlimited {
			return &l
		}
		return nil
	}
	return json.Marshal(entryJSON{
		e.ID, e.Key.Dataset, e.Key.Participants, e.Key.Unit.String(), e.Key.Distance, e.Seq, e.What,
		e.Measure, e.Measure.String(), charged.Epsilon, charged.Delta, known(ZCDP), known(Gaussian),
		e.Date, e.PrevHash, e.Hash,
	})
}

// encoding is canonical: every text with its length, every number in eight
// bytes, in a fixed order after the name of the version.
type encoding []byte

func (b *encoding) text(s ...string) {
	for _, s := range s {
		*b = binary.BigEndian.AppendUint64(*b, uint64(len(s)))
		*b = append(*b, s...)
	}
}

func (b *encoding) number(n ...int64) {
	for _, n := range n {
		*b = binary.BigEndian.AppendUint64(*b, uint64(n))
	}
}

func (b *encoding) key(k Key) { b.text(k.Dataset, k.Participants, k.Unit.String(), k.Distance) }

func (b *encoding) costs(c Costs) {
	for _, c := range c {
		b.number(int64(c.Loss), int64(c.Delta))
	}
}

func (b *encoding) hash() string {
	sum := sha256.Sum256(*b)
	return hex.EncodeToString(sum[:])
}

// computeHash is the hash that the entry should carry.
func (e Entry) computeHash() string {
	var b encoding
	b.text("gazeward ledger entry 1", e.PrevHash, e.ID)
	b.key(e.Key)
	b.number(e.Seq)
	b.text(e.What, e.Measure.String())
	b.costs(e.Costs)
	b.costs(e.Totals)
	b.text(e.Date)
	return b.hash()
}

// computeGenesis is the hash of an account's opening.
func (r Record) computeGenesis() string {
	var b encoding
	b.text("gazeward ledger account 1")
	b.key(r.Key)
	b.number(int64(r.Cap.Epsilon), int64(r.Cap.Delta))
	for _, f := range r.Filters {
		b.number(int64(f.Loss), int64(f.Delta), int64(f.Convert))
	}
	b.text(r.Opened)
	return b.hash()
}
