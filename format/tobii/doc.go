// Package tobii reads tables of Tobii's screen-based eye trackers and of the
// glasses in Tobii Pro Lab: exports of Tobii Pro Lab and Tobii Studio, and dumps
// of the Tobii Pro SDK as Titta and laboratories' own programs write them.
//
// Rows of one recording and one presented stimulus are a recording. Names of
// recordings and projects, dates, clock times, texts of events, variables of
// participants and the positions of eyes in space do not enter.
package tobii
