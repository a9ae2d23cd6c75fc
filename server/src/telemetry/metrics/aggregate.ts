import { type MetricName, type Metrics, metricCatalogue } from './catalogue.ts';

/** Omits gauges, which apply only to a running process. */
export async function sumCounters(all: readonly Metrics[]): Promise<Metrics> {
  const registry = await aggregate(all);
  const readings = await registry.getMetricsAsJSON();
  const isCounted = (name: string) => definitionOf(name)?.type !== 'gauge';
  const counted = readings.filter(({ name }) => isCounted(name));
  return Object.fromEntries(counted.map(({ name, values }) => [name, values]));
}

export async function formatMetrics(all: readonly Metrics[]): Promise<string> {
  return (await aggregate(all)).metrics();
}

// Loads the library at the first scrape, since many installations are never scraped.
async function aggregate(all: readonly Metrics[]) {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate([defineAll({}), ...all.map(defineAll)]);
}

/** Converts metrics to the format of prom-client. Includes metrics without a value, so that all metrics are listed. */
function defineAll(metrics: Metrics) {
  return Object.entries(metricCatalogue).map(([name, { help, type, ...given }]) => ({
    name,
    help,
    type,
    aggregator: 'aggregator' in given ? given.aggregator : 'sum',
    // safe because the names are those of the catalog
    values: metrics[name as MetricName] ?? [],
  }));
}

function definitionOf(name: string) {
  // safe because names that are not in the catalog have no definition
  return metricCatalogue[name as MetricName] as (typeof metricCatalogue)[MetricName] | undefined;
}
