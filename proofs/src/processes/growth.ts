import type { ProcessSample } from './process-samples.ts';

export interface Growth {
  readonly name: string;
  /** Values of the regression line at the first and last minute. */
  readonly first: number;
  readonly last: number;
  /** Increase of the regression line relative to its mean. */
  readonly growth: number;
  readonly isJudged: boolean;
}

const mebibyte = 1024 * 1024;
const minuteMs = 60_000;
/** Share at the start of the run that is ignored, while caches fill up. */
const warmUpShare = 0.2;
/** A scheduled job may hold a database connection in one of the samples. */
const busyHandles = 2;

/** Samples of the processes without load, before and after the run. */
export interface RestSamples {
  readonly before: readonly ProcessSample[];
  readonly after: readonly ProcessSample[];
}

/**
 * Returns the growth of heaps after each minute's full collection, of resident memory (minimum per minute), of handles
 * without load, and of delays (median per minute). Under load, most handles are connections of callers, whose number
 * depends on how busy the machine is.
 */
export function measureGrowth(samples: readonly ProcessSample[], rest: RestSamples): Growth[] {
  const minutes = groupByMinute(samples);
  const least = (name: string, pick: (sample: ProcessSample) => number): Growth =>
    layLine(
      name,
      minutes.map((minute) => Math.min(...minute.map(pick))),
    );
  const heap = (name: string, kind: 'worker' | 'shipper' | 'supervisor'): Growth =>
    layLine(
      name,
      minutes
        .flatMap((minute) => minute.flatMap((sample) => sample[kind].heapBytes ?? []).slice(0, 1))
        .map((bytes) => bytes / mebibyte),
    );
  const handles = (kind: 'worker' | 'shipper' | 'supervisor'): Growth => {
    const leastOf = (taken: readonly ProcessSample[]) =>
      Math.min(...taken.map((sample) => sample[kind].handles));
    const [first, last] = [leastOf(rest.before), leastOf(rest.after)];
    return {
      name: `${kind}: handles without load`,
      first,
      last,
      growth: Math.max(0, last - first - busyHandles) / first,
      isJudged: true,
    };
  };
  const median = (name: string, pick: (sample: ProcessSample) => number): Growth => {
    const medians = minutes.map(
      (minute) => minute.map(pick).toSorted((a, b) => a - b)[minute.length >> 1] ?? 0,
    );
    return { ...layLine(name, medians), isJudged: false };
  };
  return [
    ...(['worker', 'shipper', 'supervisor'] as const).flatMap((kind) => [
      heap(`${kind}: heap, MiB`, kind),
      least(`${kind}: resident, MiB`, (sample) => sample[kind].residentBytes / mebibyte),
      handles(kind),
    ]),
    median('worker: delay of the event loop, p50, ms', (sample) => sample.loopDelayP50Ms),
    median('worker: delay of the event loop, p99, ms', (sample) => sample.loopDelayP99Ms),
  ];
}

function groupByMinute(samples: readonly ProcessSample[]): ProcessSample[][] {
  const startMs = samples[0]?.atMs ?? 0;
  const groups = Map.groupBy(samples, ({ atMs }) => Math.floor((atMs - startMs) / minuteMs));
  // The last minute is omitted, since it is incomplete.
  const whole = [...groups.values()].slice(0, -1);
  return whole.slice(Math.floor(whole.length * warmUpShare));
}

export function layLine(name: string, values: readonly number[]): Growth {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const middle = (count - 1) / 2;
  const covariance = values.reduce((sum, value, place) => sum + (place - middle) * (value - mean), 0);
  const variance = values.reduce((sum, _, place) => sum + (place - middle) ** 2, 0);
  const slope = variance === 0 ? 0 : covariance / variance;
  const rise = slope * (count - 1);
  return {
    name,
    first: mean - rise / 2,
    last: mean + rise / 2,
    growth: mean === 0 ? 0 : rise / mean,
    isJudged: true,
  };
}
