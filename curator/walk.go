package curator

import (
	"context"

	"github.com/gazeward/gazeward/mechanism"
)

// product is a kind of release: what it does at each step of the walk.
type product interface {
	// Precheck refuses, before any file is opened, what no data can make right.
	Precheck() error
	// promise finds out what is public of the data and builds the mechanism.
	promise(ctx context.Context) (mechanism.Mechanism, error)
	// about is the mechanism's Spec and the stimuli it is about, once promised.
	about() (mechanism.Spec, []string)
	// shape reads the recordings into what the mechanism takes.
	shape(ctx context.Context) error
	// what is bought, in words for the ledger.
	what() string
	// release draws and tells. It is called once the charge is durable.
	release(ctx context.Context, out *staging, t *till) (*Release, error)
}

// walk is the one way from recordings to a release: promise, ask the ledger,
// read, charge, and only then draw and tell. Whatever fails before the charge
// costs nothing; whatever fails after it is a [ChargedError].
func (j *Job) walk(ctx context.Context, p product) (*Release, error) {
	if err := p.Precheck(); err != nil {
		return nil, err
	}
	out, err := stage(j.Out, j.Force)
	if err != nil {
		return nil, err
	}
	defer out.discard()
	m, err := p.promise(ctx)
	if err != nil {
		return nil, err
	}
	t, err := j.open(ctx, m.Guarantee())
	if err != nil {
		return nil, err
	}
	defer t.close()
	spec, stimuli := p.about()
	if err := j.rehearse(ctx, spec, t, m.Plan(), stimuli...); err != nil {
		return nil, err
	}
	if err := p.shape(ctx); err != nil {
		return nil, err
	}
	if t != nil {
		if err := out.room(); err != nil {
			return nil, err
		}
	}
	if err := t.charge(ctx, m.Guarantee(), p.what()); err != nil {
		return nil, err
	}
	if t != nil {
		defer context.AfterFunc(ctx, func() {
			j.Tell("interrupted: the release is paid for and is being finished; interrupted once more, it is lost and the charge stays")
		})()
	}
	r, err := p.release(context.WithoutCancel(ctx), out, t) // what is paid for is finished
	return r, t.after(err)
}
