import type { MetricName, MetricValue } from './catalogue.ts';

/** Upper bounds of the buckets in seconds, from the gateway's own overhead to the longest responses. */
const bucketSeconds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
] as const;

/** Recording only adds to counters. Values are formatted when the metrics are read. */
export class Histogram {
  readonly #counts = new Float64Array(bucketSeconds.length + 1);
  #sumSeconds = 0;

  observe(durationMs: number): void {
    const seconds = durationMs / 1000;
    let bucket = 0;
    while (bucket < bucketSeconds.length && seconds > (bucketSeconds[bucket] ?? 0)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sumSeconds += seconds;
  }

  toValues(name: MetricName, labels: MetricValue['labels']): MetricValue[] {
    const values: MetricValue[] = [];
    let count = 0;
    for (const [index, counted] of this.#counts.entries()) {
      count += counted;
      const le = index < bucketSeconds.length ? String(bucketSeconds[index]) : '+Inf';
      values.push({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: count });
    }
    return [
      ...values,
      { metricName: `${name}_sum`, labels, value: this.#sumSeconds },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
