import { defaultDeviationPolicy, deviationSignals } from '@sluice/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DeviationEvent, foldEvent, foldEvents, measureBurst, startState } from './fold.ts';
import { decayScore, findLevel, listReceipts } from './score.ts';

const { weights } = defaultDeviationPolicy;
const dayMs = 24 * 3_600_000;
const weekMs = 7 * dayMs;
const toUnits = (score: number) => Math.round(score * 1e9);

const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyWeights = fc.record({
  off_topic: fc.double({ min: 0, max: 2, noNaN: true }),
  category: fc.double({ min: 0, max: 2, noNaN: true }),
  wording: fc.double({ min: 0, max: 2, noNaN: true }),
  burst: fc.double({ min: 0, max: 2, noNaN: true }),
  refusals: fc.double({ min: 0, max: 2, noNaN: true }),
});
const anyEvent: fc.Arbitrary<DeviationEvent> = fc.record({
  id: fc.uuid({ version: 7 }),
  atMs: fc.integer({ min: 0, max: 30 * dayMs }),
  values: fc.record(
    { off_topic: share, category: share, wording: share, refusals: share },
    { requiredKeys: [] },
  ),
  repeats: fc.integer({ min: 1, max: 500 }),
  isRefused: fc.boolean(),
});
const anyEvents = fc.uniqueArray(anyEvent, { selector: ({ id }) => id, maxLength: 40 });
const anyScore = fc.integer({ min: 0, max: 1e9 }).map((units) => units / 1e9);
const stateOf = (score: number) => ({ score, scoredAtMs: 15 * dayMs, pace: null });

const offTopic = (index: number): DeviationEvent => ({
  id: `request-${String(index).padStart(3, '0')}`,
  atMs: index * 1_000,
  values: { off_topic: 0.97, category: 0.97 },
  repeats: 1,
  isRefused: false,
});

describe('foldEvents invariants', () => {
  it('foldEvents keeps scores between 0 and 1 and the sign of every receipt line', () => {
    fc.assert(
      fc.property(anyScore, anyEvents, anyWeights, (score, events, someWeights) => {
        for (const { change } of foldEvents(stateOf(score), events, someWeights).folded) {
          expect(change.after).toBeGreaterThanOrEqual(0);
          expect(change.after).toBeLessThanOrEqual(1);
          for (const { name, amount } of listReceipts(change)) {
            const isSignal = deviationSignals.some((signal) => signal === name);
            expect(isSignal ? amount >= 0 : amount < 0).toBe(true);
          }
        }
      }),
    );
  });

  it('foldEvents returns receipt lines that add up to the change, to the last billionth', () => {
    fc.assert(
      fc.property(anyScore, anyEvents, anyWeights, (score, events, someWeights) => {
        for (const { change } of foldEvents(stateOf(score), events, someWeights).folded) {
          const sum = listReceipts(change).reduce((total, { amount }) => total + toUnits(amount), 0);
          expect(sum).toBe(toUnits(change.after) - toUnits(change.before));
        }
      }),
    );
  });

  it('foldEvent never returns a lower score for a stronger signal', () => {
    fc.assert(
      fc.property(
        anyScore,
        anyEvent,
        fc.constantFrom(...deviationSignals),
        share,
        (score, event, name, more) => {
          const values = { ...event.values, [name]: Math.min(1, (event.values[name] ?? 0) + more) };
          const weaker = foldEvent(stateOf(score), event, weights).change.after;
          const stronger = foldEvent(stateOf(score), { ...event, values }, weights).change.after;
          expect(stronger).toBeGreaterThanOrEqual(weaker);
        },
      ),
    );
  });

  it('foldEvents ignores the order within a batch, even for requests at the same instant', () => {
    const crowded = fc.uniqueArray(
      anyEvent.map((event) => ({ ...event, atMs: event.atMs % 3 })),
      { selector: ({ id }) => id, maxLength: 20 },
    );
    const shuffled = crowded.chain((events) =>
      fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
    );
    fc.assert(
      fc.property(anyScore, shuffled, (score, [events, others]) => {
        const fold = (list: typeof events) => foldEvents(stateOf(score), list, weights);
        expect(fold(others)).toEqual(fold(events));
      }),
    );
  });

  it('foldEvents treats equal requests counted together like individual ones', () => {
    fc.assert(
      fc.property(anyScore, share, fc.integer({ min: 1, max: 200 }), (score, value, repeats) => {
        const event = { ...offTopic(0), atMs: 15 * dayMs, values: { refusals: value } };
        const together = foldEvent(stateOf(score), { ...event, repeats }, { ...weights, burst: 0 });
        const each = Array.from({ length: repeats }, (_, index) => ({ ...event, id: `${index}` }));
        const apart = foldEvents(stateOf(score), each, { ...weights, burst: 0 });
        expect(together.state.score).toBeCloseTo(apart.state.score, 6);
      }),
    );
  });

  it('foldEvent never lowers a score by more than the decay over time for a rejected request', () => {
    fc.assert(
      fc.property(anyScore, anyEvent, (score, event) => {
        const { change } = foldEvent(stateOf(score), { ...event, isRefused: true }, weights);
        expect(change.after).toBeGreaterThanOrEqual(decayScore(score, event.atMs - 15 * dayMs));
      }),
    );
  });
});

describe('documented score figures', () => {
  it.each([
    [7, 0.5],
    [12, 0.7],
    [22, 0.9],
  ])('foldEvents needs %i clear off-topic requests in a row to exceed a score of %d', (count, threshold) => {
    const scoreAfter = (requests: number) =>
      foldEvents(
        startState,
        Array.from({ length: requests }, (_, index) => offTopic(index)),
        weights,
      ).state.score;
    expect(scoreAfter(count)).toBeGreaterThan(threshold);
    expect(scoreAfter(count - 1)).toBeLessThan(threshold);
  });

  it('decayScore halves the score after a week without requests', () => {
    expect(decayScore(0.8, weekMs)).toBe(0.4);
    expect(decayScore(0.8, 2 * weekMs)).toBe(0.2);
    expect(decayScore(0.8, -weekMs)).toBe(0.8);
  });

  it('foldEvent lowers the score by a tenth for each on-task request', () => {
    const event = { ...offTopic(0), atMs: 15 * dayMs, values: {} };
    const { change } = foldEvent(stateOf(0.8), event, weights);
    expect(change).toMatchObject({ before: 0.8, after: 0.72 });
    expect(listReceipts(change)).toEqual([{ name: 'return', amount: -0.08 }]);
  });

  it('findLevel starts the levels elevated and high above their thresholds', () => {
    const { thresholds } = defaultDeviationPolicy;
    expect([0.5, 0.501, 0.7, 0.701].map((score) => findLevel(score, thresholds))).toEqual([
      'normal',
      'elevated',
      'elevated',
      'high',
    ]);
  });

  it("measureBurst compares requests with the user's usual hour and ignores few requests", () => {
    const burst = (requests: number, usual: number) => measureBurst({ hourStartMs: 0, requests, usual });
    expect([burst(60, 0), burst(90, 0), burst(120, 0), burst(500, 0)]).toEqual([0, 0.5, 1, 1]);
    expect([burst(400, 200), burst(600, 200), burst(800, 200)]).toEqual([0, 0.5, 1]);
  });
});
