-- Amounts are integers: epsilon in 1e-9, delta in 1e-18, losses in 1e-12
-- (basic: epsilon, gaussian: mu squared, zcdp: rho). 9223372036854775807 is
-- more than any cap.
CREATE TABLE accounts (
  n                     INTEGER PRIMARY KEY,
  dataset               TEXT NOT NULL CHECK (dataset <> ''),
  participants          TEXT NOT NULL CHECK (participants <> ''),
  unit                  TEXT NOT NULL CHECK (unit <> ''),
  distance              TEXT NOT NULL,
  cap_epsilon           INTEGER NOT NULL CHECK (cap_epsilon > 0),
  cap_delta             INTEGER NOT NULL CHECK (cap_delta >= 0),
  basic_cap             INTEGER NOT NULL CHECK (basic_cap >= 0),
  basic_delta_cap       INTEGER NOT NULL CHECK (basic_delta_cap >= 0),
  basic_convert         INTEGER NOT NULL CHECK (basic_convert >= 0),
  gaussian_cap          INTEGER NOT NULL CHECK (gaussian_cap >= 0),
  gaussian_delta_cap    INTEGER NOT NULL CHECK (gaussian_delta_cap >= 0),
  gaussian_convert      INTEGER NOT NULL CHECK (gaussian_convert >= 0),
  zcdp_cap              INTEGER NOT NULL CHECK (zcdp_cap >= 0),
  zcdp_delta_cap        INTEGER NOT NULL CHECK (zcdp_delta_cap >= 0),
  zcdp_convert          INTEGER NOT NULL CHECK (zcdp_convert >= 0),
  opened                TEXT NOT NULL,
  genesis               TEXT NOT NULL CHECK (length(genesis) = 64),
  entries               INTEGER NOT NULL CHECK (entries >= 0),
  basic                 INTEGER NOT NULL CHECK (basic >= 0),
  basic_delta           INTEGER NOT NULL CHECK (basic_delta >= 0),
  gaussian              INTEGER NOT NULL CHECK (gaussian >= 0),
  gaussian_delta        INTEGER NOT NULL CHECK (gaussian_delta >= 0),
  zcdp                  INTEGER NOT NULL CHECK (zcdp >= 0),
  zcdp_delta            INTEGER NOT NULL CHECK (zcdp_delta >= 0),
  head                  TEXT NOT NULL CHECK (length(head) = 64),
  UNIQUE (dataset, participants, unit, distance),
  CONSTRAINT shares_within_cap CHECK (
    basic_delta_cap + basic_convert + gaussian_delta_cap + gaussian_convert + zcdp_delta_cap + zcdp_convert <= cap_delta),
  CONSTRAINT never_overspent CHECK (
    (basic <= basic_cap AND basic_delta <= basic_delta_cap) OR
    (gaussian <= gaussian_cap AND gaussian_delta <= gaussian_delta_cap) OR
    (zcdp <= zcdp_cap AND zcdp_delta <= zcdp_delta_cap))
) STRICT;

CREATE TABLE entries (
  n                    INTEGER PRIMARY KEY,
  account              INTEGER NOT NULL REFERENCES accounts (n),
  seq                  INTEGER NOT NULL CHECK (seq > 0),
  id                   TEXT NOT NULL UNIQUE CHECK (id <> ''),
  what                 TEXT NOT NULL,
  measure              TEXT NOT NULL,
  basic                INTEGER NOT NULL CHECK (basic >= 0),
  basic_delta          INTEGER NOT NULL CHECK (basic_delta >= 0),
  gaussian             INTEGER NOT NULL CHECK (gaussian >= 0),
  gaussian_delta       INTEGER NOT NULL CHECK (gaussian_delta >= 0),
  zcdp                 INTEGER NOT NULL CHECK (zcdp >= 0),
  zcdp_delta           INTEGER NOT NULL CHECK (zcdp_delta >= 0),
  total_basic          INTEGER NOT NULL CHECK (total_basic >= basic),
  total_basic_delta    INTEGER NOT NULL CHECK (total_basic_delta >= basic_delta),
  total_gaussian       INTEGER NOT NULL CHECK (total_gaussian >= gaussian),
  total_gaussian_delta INTEGER NOT NULL CHECK (total_gaussian_delta >= gaussian_delta),
  total_zcdp           INTEGER NOT NULL CHECK (total_zcdp >= zcdp),
  total_zcdp_delta     INTEGER NOT NULL CHECK (total_zcdp_delta >= zcdp_delta),
  date                 TEXT NOT NULL,
  prev_hash            TEXT NOT NULL CHECK (length(prev_hash) = 64),
  hash                 TEXT NOT NULL CHECK (length(hash) = 64),
  UNIQUE (account, seq)
) STRICT;

CREATE TRIGGER entry_follows BEFORE INSERT ON entries
WHEN NOT EXISTS (SELECT 1 FROM accounts WHERE n = NEW.account AND entries + 1 = NEW.seq AND head = NEW.prev_hash)
BEGIN SELECT RAISE(ABORT, 'an entry follows on the head of its account'); END;

CREATE TRIGGER entry_counts AFTER INSERT ON entries
BEGIN
  UPDATE accounts SET
    entries = NEW.seq, head = NEW.hash,
    basic = NEW.total_basic, basic_delta = NEW.total_basic_delta,
    gaussian = NEW.total_gaussian, gaussian_delta = NEW.total_gaussian_delta,
    zcdp = NEW.total_zcdp, zcdp_delta = NEW.total_zcdp_delta
  WHERE n = NEW.account;
END;

CREATE TRIGGER entry_stays BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;

CREATE TRIGGER entry_remains BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'entries are never removed'); END;

CREATE TRIGGER account_starts_empty BEFORE INSERT ON accounts
WHEN NEW.entries <> 0 OR NEW.head <> NEW.genesis
  OR NEW.basic + NEW.basic_delta + NEW.gaussian + NEW.gaussian_delta + NEW.zcdp + NEW.zcdp_delta <> 0
BEGIN SELECT RAISE(ABORT, 'an account starts empty'); END;

CREATE TRIGGER account_stays BEFORE UPDATE ON accounts
WHEN NEW.entries <> OLD.entries + 1
  OR NEW.basic < OLD.basic OR NEW.basic_delta < OLD.basic_delta
  OR NEW.gaussian < OLD.gaussian OR NEW.gaussian_delta < OLD.gaussian_delta
  OR NEW.zcdp < OLD.zcdp OR NEW.zcdp_delta < OLD.zcdp_delta
  OR (NEW.n, NEW.dataset, NEW.participants, NEW.unit, NEW.distance, NEW.cap_epsilon, NEW.cap_delta, NEW.opened, NEW.genesis)
  IS NOT (OLD.n, OLD.dataset, OLD.participants, OLD.unit, OLD.distance, OLD.cap_epsilon, OLD.cap_delta, OLD.opened, OLD.genesis)
  OR (NEW.basic_cap, NEW.basic_delta_cap, NEW.basic_convert, NEW.gaussian_cap, NEW.gaussian_delta_cap, NEW.gaussian_convert,
      NEW.zcdp_cap, NEW.zcdp_delta_cap, NEW.zcdp_convert)
  IS NOT (OLD.basic_cap, OLD.basic_delta_cap, OLD.basic_convert, OLD.gaussian_cap, OLD.gaussian_delta_cap, OLD.gaussian_convert,
      OLD.zcdp_cap, OLD.zcdp_delta_cap, OLD.zcdp_convert)
BEGIN SELECT RAISE(ABORT, 'an account changes by entries only'); END;

CREATE TRIGGER account_remains BEFORE DELETE ON accounts
BEGIN SELECT RAISE(ABORT, 'accounts are never removed'); END;
