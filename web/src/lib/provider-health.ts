export interface HealthFigures {
  readonly requests: number;
  /** Share of failed requests from 0 to 1; `null` if there are no requests. */
  readonly error_rate: number | null;
  readonly models_in_cooldown: readonly string[];
}

const warnLevel = { rate: 0.05, failures: 2 };
const badLevel = { rate: 0.2, failures: 3 };

export const countFailures = ({ requests, error_rate }: Omit<HealthFigures, 'models_in_cooldown'>): number =>
  Math.round((error_rate ?? 0) * requests);

/**
 * Returns the failure level of an instance. `off` means that there are no requests, or too few failures to judge a
 * high rate.
 */
export function healthKind(health: HealthFigures): 'ok' | 'warn' | 'bad' | 'off' {
  const { error_rate, models_in_cooldown } = health;
  if (models_in_cooldown.length > 0) return 'bad';
  if (error_rate === null) return 'off';
  const failures = countFailures(health);
  if (error_rate >= badLevel.rate) return failures >= badLevel.failures ? 'bad' : 'warn';
  if (error_rate < warnLevel.rate) return 'ok';
  return failures >= warnLevel.failures ? 'warn' : 'off';
}
