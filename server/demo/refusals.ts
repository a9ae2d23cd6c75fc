import type pg from 'pg';
import { blacklistedModel, blacklistReason } from './seed-people.ts';

type Connection = pg.Client | pg.PoolClient;

const blacklistedShare = 0.02;

export const tokensPerRow = 1_400;
/** Ratio of the daily quota to the average usage on the busiest day. Some days exceed the quota. */
const headroom = 1.15;

/**
 * Sets daily quotas that users may reach on their busiest days. Super administrators remain unlimited. `busiestDay`
 * is the number of rows of that day. Users created earlier send more of them.
 */
export async function setDailyQuotas(client: Connection, busiestDay: number): Promise<void> {
  await client.query(
    `UPDATE users SET daily_quota = ceil(greatest(20000, $1::float8 * (
        power((place + 1)::float8 / people, 1 / 1.7) - power(place::float8 / people, 1 / 1.7))) / 10000) * 10000
     FROM (SELECT user_id, place, count(*) OVER () AS people FROM demo_people) person
     WHERE person.user_id = users.id AND users.role_id <> 1 AND users.daily_quota IS NULL`,
    [busiestDay * tokensPerRow * headroom],
  );
}

/**
 * Rejects the rows of `demo_day` that the gateway would reject: requests for the blacklisted model, and requests of
 * users whose daily quota is exhausted.
 */
export async function refuseRows(client: Connection): Promise<void> {
  await client.query(
    `UPDATE demo_day SET model_requested = $1, model = $1, http_status = 403, error_code = 'model_blacklisted', error_message = $2,
       ${asRefused}
     WHERE provider_key = 'openai' AND random() < ${blacklistedShare}`,
    [blacklistedModel, blacklistedMessage],
  );
  await client.query(cutLastAnswer);
  await client.query(refuseBeyondQuota);
}

const blacklistedMessage = `The model '${blacklistedModel}' is blacklisted: ${blacklistReason}. Ask your administrator.`;

const asRefused = `status = 'refused', attempts = 0, first_byte_ms = NULL, response_time_ms = 1, prompt_tokens = 0,
  cache_read_tokens = 0, completion_tokens = 0, usage_source = 'none', cost_nano_usd = NULL`;

const counted = `SELECT entry.id, daily_quota AS quota, prompt_tokens + completion_tokens AS tokens,
    sum(prompt_tokens + completion_tokens) OVER (PARTITION BY entry.user_id ORDER BY entry.id) AS used
  FROM demo_day entry JOIN users ON users.id = entry.user_id
  WHERE status <> 'refused' AND daily_quota IS NOT NULL`;

const cutLastAnswer = `UPDATE demo_day log SET completion_tokens = least(completion_tokens, rest / 4),
    prompt_tokens = rest - least(completion_tokens, rest / 4), cache_read_tokens = 0,
    cost_nano_usd = cost_nano_usd * rest / tokens
  FROM (SELECT id, tokens, (quota - used + tokens)::int AS rest FROM (${counted}) rows WHERE used > quota AND used - tokens < quota) last
  WHERE log.id = last.id`;

const refuseBeyondQuota = `UPDATE demo_day log SET http_status = 429, error_code = 'tokens_per_day_exceeded',
    error_message = format('Your daily token quota is %s, of which 0 are left; this request needs at least %s. It resets at %sT00:00:00.000Z.',
      to_char(quota, 'FM999,999,999,990'), to_char(greatest(tokens, 100), 'FM999,999,990'), (received_at AT TIME ZONE 'UTC')::date + 1),
    ${asRefused}
  FROM (SELECT * FROM (${counted}) rows WHERE used - tokens >= quota) beyond
  WHERE log.id = beyond.id`;
