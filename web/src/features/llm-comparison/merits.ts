import type { ComparisonResult } from '@sluice/contract';

/** Returns what each completed result is best at, by id. Empty with fewer than two completed results; ties do not count. */
export function findMerits(results: readonly ComparisonResult[]): ReadonlyMap<string, readonly string[]> {
  const completed = results.filter(({ status }) => status === 'completed');
  const best = [
    { merit: 'Fastest', id: findLeast(completed, ({ response_time_ms }) => response_time_ms) },
    { merit: 'Cheapest', id: findLeast(completed, ({ cost }) => cost) },
  ];
  return new Map(
    completed.map(({ id }) => [id, best.filter((one) => one.id === id).map(({ merit }) => merit)]),
  );
}

function findLeast(
  results: readonly ComparisonResult[],
  figureOf: (result: ComparisonResult) => number | null,
): string | undefined {
  const known = results.flatMap((result) => {
    const value = figureOf(result);
    return value === null ? [] : { id: result.id, value };
  });
  const [least, next] = known.toSorted((one, other) => one.value - other.value);
  return next && least && least.value < next.value ? least.id : undefined;
}
