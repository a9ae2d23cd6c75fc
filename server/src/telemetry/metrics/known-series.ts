import { type ErrorCode, errorCodes } from '@sluice/contract';
import { publicOperations } from '#gateway/routes.ts';
import { providers } from '#providers/registry.ts';
import { type MetricName, type Metrics, metricCatalogue } from './catalogue.ts';

type Labels = Readonly<Record<string, string>>;

const callFailures: readonly ErrorCode[] = [
  'provider_auth_failed',
  'provider_out_of_credit',
  'provider_rejected',
  'rate_limited',
  'upstream_error',
  'upstream_invalid_response',
  'upstream_overloaded',
  'upstream_timeout',
];
const vendors = Object.keys(providers);
const codesLoggedAs = (status: 'refused' | 'error') =>
  Object.entries(errorCodes).flatMap(([code, { loggedAs }]) => (loggedAs === status ? [code] : []));

const everyVendor = (name: string, values: readonly string[]): Labels[] =>
  vendors.flatMap((provider) => values.map((value) => ({ provider, [name]: value })));

/** Label sets by metric, for counters with labels that are known before the first event. */
const knownLabels: Partial<Record<MetricName, readonly Labels[]>> = {
  sluice_requests_total: publicOperations.flatMap((operation) =>
    ['2xx', '4xx', '5xx'].map((status_class) => ({ ...operation, provider: 'none', status_class })),
  ),
  sluice_request_errors_total: [
    ...codesLoggedAs('error').map((code) => ({ provider: 'none', code })),
    ...everyVendor('code', [...callFailures, 'client_closed']),
  ],
  sluice_refusals_total: [...codesLoggedAs('refused'), 'invalid_api_key', 'missing_api_key'].map((code) => ({
    code,
  })),
  sluice_provider_calls_total: everyVendor('outcome', ['answered', ...callFailures]),
  sluice_process_exits_total: ['worker', 'shipper'].map((process) => ({ process })),
  sluice_replica_reads_total: ['replica', 'not_replayed', 'unavailable', 'failed'].map((outcome) => ({
    outcome,
  })),
  sluice_telemetry_dropped_total: ['spans', 'alerts'].map((signal) => ({ signal })),
};

/** Starts all known series at 0, because a rate over a series that starts at 1 would miss its first event. */
export function zeroCounters(): Metrics {
  return Object.fromEntries(
    Object.entries(metricCatalogue).flatMap(([name, { type, labels }]) => {
      if (type !== 'counter') return [];
      // safe because the names are those of the catalog
      const known = labels.length === 0 ? [{}] : (knownLabels[name as MetricName] ?? []);
      return [[name, known.map((one) => ({ labels: one, value: 0 }))]];
    }),
  );
}
