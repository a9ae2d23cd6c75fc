import { type MetricName, type Metrics, metricCatalogue } from './catalogue.ts';

/** The counters and histograms of several processes as one; what is only true of a living process is left out. */
export async function sumCounters(all: readonly Metrics[]): Promise<Metrics> {
  const registry = await aggregate(all);
  const readings = await registry.getMetricsAsJSON();
  const isCounted = (name: string) => definitionOf(name)?.type !== 'gauge';
  const counted = readings.filter(({ name }) => isCounted(name));
  return Object.fromEntries(counted.map(({ name, values }) => [name, values]));
}

/** The metrics of all processes together, in the text format of Prometheus. */
export async function formatMetrics(all: readonly Metrics[]): Promise<string> {
  return (await aggregate(all)).metrics();
}

// Loaded by the first scrape: an installation that nobody scrapes does without.
async function aggregate(all: readonly Metrics[]) {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate([defineAll({}), ...all.map(defineAll)]);
}

/** As the library has it. Every metric is there, so that what has no value yet is known by its name. */
function defineAll(metrics: Metrics) {
  return Object.entries(metricCatalogue).map(([name, { help, type, ...given }]) => ({
    name,
    help,
    type,
    aggregator: 'aggregator' in given ? given.aggregator : 'sum',
    // safe because the names are the catalogue's
    values: metrics[name as MetricName] ?? [],
  }));
}

function definitionOf(name: string) {
  // safe because a name that is not in the catalogue has no definition there
  return metricCatalogue[name as MetricName] as (typeof metricCatalogue)[MetricName] | undefined;
}
