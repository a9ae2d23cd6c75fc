import type { ProviderCall } from '#gateway/exchange.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import type { Metrics, MetricValue } from './catalogue.ts';
import { Histogram } from './histogram.ts';

/** Label values from requests. The first values are kept, and all later ones are replaced by `other`. */
class BoundedNames {
  readonly #names = new Set<string>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  label(name: string): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= this.#max) return 'other';
    this.#names.add(name);
    return name;
  }
}

/** Maximum number of label values. Super administrators can add vendors. Only models with a price appear by name. */
const providersMax = 50;
const modelsMax = 200;
const nanoPerUsd = 1e9;

type Counts = Map<string, number>;

interface RequestSeries {
  readonly labels: { protocol: string; operation: string; provider: string; stream: string };
  readonly statusClasses: Counts;
  readonly errors: Counts;
  readonly duration: Histogram;
  readonly firstByte: Histogram;
}

interface ModelSeries {
  readonly labels: { provider: string; model: string };
  readonly tokens: Counts;
  costNanoUsd: number;
}

interface CallSeries {
  readonly outcomes: Counts;
  readonly duration: Histogram;
}

/** Metrics of the requests of this worker. A request only adds to counters. */
export class RequestMetrics {
  readonly #providers = new BoundedNames(providersMax);
  readonly #models = new BoundedNames(modelsMax);
  readonly #requests = new Map<string, RequestSeries>();
  readonly #byModel = new Map<string, ModelSeries>();
  readonly #calls = new Map<string, CallSeries>();
  readonly #refusals: Counts = new Map();
  readonly #overhead = new Histogram();
  #inFlight = 0;

  begin(): void {
    this.#inFlight++;
  }

  end(record: RequestRecord, calls: readonly ProviderCall[]): void {
    this.#inFlight--;
    const provider = this.#providers.label(record.providerKey ?? 'none');
    this.#countRequest(record, provider);
    this.#countUsage(record, provider);
    if (calls[0]) this.#overhead.observe(calls[0].startedMs);
    calls.forEach(this.#countCall, this);
  }

  read(): Metrics {
    const requests = [...this.#requests.values()];
    const models = [...this.#byModel.values()];
    const calls = [...this.#calls];
    return {
      sluice_requests_total: requests.flatMap(({ labels: { stream: _, ...labels }, statusClasses }) =>
        toValues(statusClasses, 'status_class', labels),
      ),
      sluice_request_errors_total: requests.flatMap(({ labels: { provider }, errors }) =>
        toValues(errors, 'code', { provider }),
      ),
      sluice_refusals_total: toValues(this.#refusals, 'code', {}),
      sluice_request_duration_seconds: requests.flatMap(({ labels: { operation: _, ...labels }, duration }) =>
        duration.toValues('sluice_request_duration_seconds', labels),
      ),
      sluice_first_byte_seconds: requests.flatMap(({ labels: { operation: _, ...labels }, firstByte }) =>
        firstByte.toValues('sluice_first_byte_seconds', labels),
      ),
      sluice_gate_overhead_seconds: this.#overhead.toValues('sluice_gate_overhead_seconds', {}),
      sluice_tokens_total: models.flatMap(({ labels, tokens }) => toValues(tokens, 'kind', labels)),
      sluice_cost_usd_total: models.map(({ labels, costNanoUsd }) => ({
        labels,
        value: costNanoUsd / nanoPerUsd,
      })),
      sluice_provider_calls_total: calls.flatMap(([provider, { outcomes }]) =>
        toValues(outcomes, 'outcome', { provider }),
      ),
      sluice_provider_call_duration_seconds: calls.flatMap(([provider, { duration }]) =>
        duration.toValues('sluice_provider_call_duration_seconds', { provider }),
      ),
      sluice_requests_in_flight: [{ labels: {}, value: this.#inFlight }],
    };
  }

  #countRequest(record: RequestRecord, provider: string): void {
    const { status, httpStatus, errorCode, firstByteMs, responseTimeMs } = record;
    const series = this.#findRequests(record, provider);
    add(series.statusClasses, classOf(httpStatus), 1);
    series.duration.observe(responseTimeMs);
    if (firstByteMs !== null) series.firstByte.observe(firstByteMs);
    if (status === 'refused' || isStranger(record)) add(this.#refusals, errorCode ?? 'none', 1);
    else if (status !== 'success') add(series.errors, errorCode ?? status, 1);
  }

  #findRequests({ isStream, operation, protocol }: RequestRecord, provider: string): RequestSeries {
    const key = `${protocol} ${operation} ${isStream} ${provider}`;
    const known = this.#requests.get(key);
    if (known) return known;
    const series: RequestSeries = {
      labels: { protocol, operation, provider, stream: String(isStream) },
      statusClasses: new Map(),
      errors: new Map(),
      duration: new Histogram(),
      firstByte: new Histogram(),
    };
    this.#requests.set(key, series);
    return series;
  }

  #countUsage({ usage, price, costNanoUsd, model: named }: RequestRecord, provider: string): void {
    if (usage === null) return;
    // A model without a price may have any name, since administrators enter the names.
    const model = price === null || named === null ? 'other' : this.#models.label(named);
    const series = this.#byModel.getOrInsertComputed(`${provider} ${model}`, () => ({
      labels: { provider, model },
      tokens: new Map(),
      costNanoUsd: 0,
    }));
    add(series.tokens, 'input', usage.inputTokens);
    add(series.tokens, 'cache_read', usage.cacheReadTokens);
    add(series.tokens, 'cache_write', usage.cacheWriteTokens);
    add(series.tokens, 'output', usage.outputTokens);
    series.costNanoUsd += Number(costNanoUsd ?? 0);
  }

  #countCall({ providerKey, errorCode, durationMs }: ProviderCall): void {
    const series = this.#calls.getOrInsertComputed(this.#providers.label(providerKey), createCallSeries);
    add(series.outcomes, errorCode ?? 'answered', 1);
    series.duration.observe(durationMs);
  }
}

const createCallSeries = (): CallSeries => ({ outcomes: new Map(), duration: new Histogram() });

const classes = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'];
const classOf = (httpStatus: number): string => classes[Math.floor(httpStatus / 100)] ?? 'none';

/** Returns whether a request was rejected before its tenant was known, for example because of an unknown key. */
const isStranger = ({ tenantId, httpStatus }: RequestRecord) => tenantId === null && httpStatus < 500;

function add(counts: Counts, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

function toValues(counts: Counts, label: string, labels: Readonly<Record<string, string>>): MetricValue[] {
  return [...counts].map(([name, value]) => ({ labels: { ...labels, [label]: name }, value }));
}
