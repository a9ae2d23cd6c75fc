import { expect, it } from 'vitest';
import { PrimaryPositions } from './primary-positions.ts';
import { fromLsn, readPosition, toLsn, unreachablePosition } from './wal-position.ts';

const at = (lsn: string) => fromLsn(lsn);

function createPositions(...samples: [atMs: number, lsn: string][]): PrimaryPositions {
  const positions = new PrimaryPositions();
  for (const [atMs, lsn] of samples) positions.note(atMs, at(lsn));
  return positions;
}

it('positions sort as text in the same order as in PostgreSQL and can be converted back', () => {
  const lsns = ['0/0', '0/FF', '0/1000000', '1/0', 'A/0', '10/B374D848', 'FFFFFFFF/FFFFFFFF'];
  expect(lsns.map(fromLsn).toSorted()).toEqual(lsns.map(fromLsn));
  expect(toLsn(fromLsn('16/B374D848'))).toBe('00000016/b374d848');
});

it.each(['', '16/B374D848', "0'::pg_lsn; DROP TABLE users", '0'.repeat(15), 'G'.repeat(16)])(
  'readPosition returns an unreachable position for %j',
  (text) => {
    expect(readPosition(text)).toBe(unreachablePosition);
    expect(readPosition(null)).toBeNull();
  },
);

it('reachedAt returns the time of the newest sampled position that a replica has replayed', () => {
  const positions = createPositions([1_000, '0/10'], [2_000, '0/20'], [3_000, '0/30']);
  expect(['0/F', '0/10', '0/1F', '0/20', '0/99'].map((lsn) => positions.reachedAt(at(lsn)))).toEqual([
    null,
    1_000,
    1_000,
    2_000,
    3_000,
  ]);
});

it('reachedAt returns the time of the last sample if a replica has replayed everything from an idle primary', () => {
  const positions = createPositions([1_000, '0/10'], [2_000, '0/20'], [60_000, '0/20'], [90_000, '0/20']);
  expect(positions.reachedAt(at('0/20'))).toBe(90_000);
  expect(positions.reachedAt(at('0/1F'))).toBe(1_000);
});

it('PrimaryPositions.before returns the newest position read before a given time', () => {
  const positions = createPositions([1_000, '0/10'], [2_000, '0/20'], [3_000, '0/30']);
  expect(positions.before(500)).toBeNull();
  expect(positions.before(2_500)).toBe(at('0/20'));
});

it('PrimaryPositions forgets positions from before a failover if the new primary continues from an earlier position', () => {
  const positions = createPositions([1_000, '0/10'], [2_000, '0/90'], [3_000, '0/50']);
  expect(positions.reachedAt(at('0/20'))).toBeNull();
  expect(positions.reachedAt(at('0/90'))).toBe(3_000);
});

it('PrimaryPositions keeps the last 1,000 samples', () => {
  const positions = new PrimaryPositions();
  for (let place = 1; place <= 1_200; place++) positions.note(place, at(`0/${place.toString(16)}`));
  expect(positions.before(200)).toBeNull();
  expect(positions.before(201)).toBe(at('0/C9'));
});
