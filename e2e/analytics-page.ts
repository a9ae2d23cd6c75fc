import type {
  DailyRefusals,
  DailySpend,
  DailyUsage,
  DeviationTimeline,
  TopApiKey,
  TopModel,
  TopTeam,
  TopUser,
  UsageFigures,
} from '@sluice/contract';
import type { Locator, Page } from 'playwright-core';
import { answer } from './users-page.ts';

export async function openAnalytics(page: Page, search = ''): Promise<void> {
  await page.goto(`/admin/analytics${search}`);
  await loadCharts(page);
}

export async function loadCharts(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Token Usage Over Time' }).waitFor();
  for (const chart of await page.locator('main section').all()) await chart.scrollIntoViewIfNeeded();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await page.evaluate('scrollTo(0, 0)');
}

export const panel = (page: Page, heading: string): Locator => page.getByRole('region', { name: heading });

const days = Array.from({ length: 30 }, (_, index) =>
  new Date(Date.UTC(2026, 9, 24 + index)).toISOString().slice(0, 10),
);
const isWeekend = (day: string) => [0, 6].includes(new Date(day).getUTCDay());
const wave = (index: number) => 3 + Math.sin(index / 3.1) + index / 20;

const daily: DailyUsage[] = days.map((date, index) => ({
  date,
  tokens: Math.round(wave(index) * (isWeekend(date) ? 310_000 : 1_312_500)),
  requests: Math.round(wave(index) * (isWeekend(date) ? 44 : 186)),
  cost_usd: wave(index) * (isWeekend(date) ? 0.62 : 2.62),
  unique_users: isWeekend(date) ? 6 + (index % 3) : Math.round(30 + 3 * wave(index)),
}));

const intents = [
  ['coding', 8_009],
  ['testing', 3_461],
  ['research', 2_912],
  ['documentation', 2_730],
  ['off_topic', 1_090],
  ['not_classified', 2],
] as const;

const usage: UsageFigures = {
  total_requests: 18_204,
  avg_requests_per_day: 606.8,
  total_tokens_used: 128_412_087,
  cost_usd: 258.13,
  active_users: 43,
  intent_distribution: Object.fromEntries(intents),
  intents: intents.map(([intent, requests]) => ({
    intent,
    requests,
    tokens: requests * 7_054,
    cost_usd: requests * 0.0142,
  })),
  kept_since: '2016-11-25',
  used_since: '2016-11-25',
};

const usageBefore: UsageFigures = {
  ...usage,
  total_requests: 16_840,
  avg_requests_per_day: 561.3,
  total_tokens_used: 131_000_000,
  cost_usd: 241.9,
};

const describeModel = (model: string, provider_key: string, total_requests: number): TopModel => ({
  model,
  provider_key,
  total_requests,
  total_tokens: total_requests * 7_054,
  cost_usd: total_requests * 0.0142,
  unique_users: Math.ceil(total_requests / 290),
  percentage: (total_requests / usage.total_requests) * 100,
});

const models = [
  describeModel('claude-sonnet-4-5-20250929', 'anthropic', 5_410),
  describeModel('gpt-5', 'openai', 4_938),
  describeModel('gemini-2.5-pro', 'google', 3_102),
  describeModel('gpt-5-mini', 'openai', 1_877),
  describeModel('deepseek-chat', 'deepseek', 1_277),
  describeModel('mistral-large-latest', 'mistral', 640),
  describeModel('llama-3.3-70b-versatile', 'groq', 480),
  describeModel('gpt-5', 'azure_openai', 312),
  describeModel('text-embedding-3-small', 'openai', 141),
  describeModel('qwen3:8b', 'ollama', 27),
];

const describeKey = (
  entity_id: number,
  entity_name: string,
  entity_type: 'user' | 'team',
  total_requests: number,
): TopApiKey => ({
  entity_id,
  entity_name,
  entity_type,
  total_requests,
  total_tokens: total_requests * (entity_type === 'team' ? 9_120 : 6_050),
  cost_usd: total_requests * (entity_type === 'team' ? 0.0181 : 0.0121),
  percentage: (total_requests / 15_100) * 100,
  last_used: '2026-11-22T09:14:00.000Z',
});

const keys = [
  describeKey(1, 'Payments platform and ledger', 'team', 6_204),
  describeKey(11, 'Jonas Weber', 'user', 3_980),
  describeKey(2, 'Research', 'team', 2_411),
  describeKey(12, 'Aiko Tanaka', 'user', 1_904),
  describeKey(13, 'Priyanka Venkatesan', 'user', 1_512),
  describeKey(14, 'Noor Al-Amin', 'user', 1_180),
  describeKey(3, 'Documentation', 'team', 930),
  describeKey(15, 'Lena Fischer', 'user', 611),
  describeKey(16, 'Maya Ortiz', 'user', 402),
  { ...describeKey(17, 'Tomás Oliveira', 'user', 12), last_used: null },
];

const teams: TopTeam[] = ['Payments platform and ledger', 'Research', 'Documentation'].map(
  (team_name, place) => ({
    team_id: place + 1,
    team_name,
    total_requests: 6_204 - place * 2_400,
    total_tokens: 56_000_000 - place * 20_000_000,
    cost_usd: 112.29 - place * 41.7,
    unique_users: 9 - place,
  }),
);

const describeUser = (
  user_id: number,
  user_name: string,
  total_requests: number,
  score: number,
): TopUser => ({
  user_id,
  user_name,
  total_requests,
  total_tokens: total_requests * (8_000 - user_id * 110),
  cost_usd: total_requests * 0.0139,
  average_deviation_score: score,
  last_request: '2026-11-22T09:14:00.000Z',
});

const users = [
  describeUser(11, 'Jonas Weber', 4_120, 0.12),
  describeUser(12, 'Aiko Tanaka', 2_004, 0.04),
  describeUser(13, 'Priyanka Venkatesan', 1_812, 0.31),
  describeUser(14, 'Noor Al-Amin', 1_290, 0.08),
  describeUser(15, 'Lena Fischer', 871, 0.55),
];

const vendors = [
  ['openai', 'OpenAI', 0.42],
  ['anthropic', 'Anthropic', 0.27],
  ['google', 'Google', 0.2],
  ['deepseek', 'DeepSeek', 0.08],
  ['mistral', 'Mistral', 0.03],
] as const;

const spend: DailySpend[] = daily.flatMap(({ date, tokens }) =>
  vendors.map(([provider_key, provider_name, share]) => {
    const total = Math.round(tokens * share * 11.54) / 1e6;
    const company = provider_key === 'anthropic' || provider_key === 'deepseek' ? total : 0;
    return {
      provider_key,
      provider_name,
      date,
      user_llm_spend: total - company,
      company_llm_spend: company,
      total_spend: total,
    };
  }),
);

const reasons = ['tokens_per_day_exceeded', 'model_blacklisted', 'policy_blocked', 'task_required'];

const refusals: DailyRefusals[] = days.flatMap((date, index) =>
  reasons.map((reason, place) => {
    const rows = 1 + ((index * 7 + place * 3) % 5);
    return { date, reason, rows, count: rows * (4 - place) };
  }),
);

const deviation: DeviationTimeline = {
  dates: days,
  series: users.map(({ user_id, user_name, total_requests }, place) => ({
    entity_id: user_id,
    entity_name: user_name,
    entity_type: 'user',
    requests: total_requests,
    average_deviation_score: 0.78 - place * 0.15,
    days: days.flatMap((date, index) =>
      isWeekend(date)
        ? []
        : [
            {
              date,
              requests: 9,
              average_deviation_score: 0.78 - place * 0.15 + Math.sin(index / 4 + place) / 10,
            },
          ],
    ),
  })),
  events: [
    {
      kind: 'policy_changed',
      id: 4,
      date: '2026-11-04',
      timestamp: '2026-11-04T09:00:00.000Z',
      user_id: null,
      user_name: null,
    },
    {
      kind: 'appeal_granted',
      id: 2,
      date: '2026-11-13',
      timestamp: '2026-11-13T12:00:00.000Z',
      user_id: 11,
      user_name: 'Jonas Weber',
    },
  ],
};

/** With `isEmpty`, the month has no requests. */
export async function fakeAnalytics(page: Page, isEmpty = false): Promise<void> {
  const nothing = {
    ...usage,
    total_requests: 0,
    avg_requests_per_day: 0,
    total_tokens_used: 0,
    active_users: 0,
    cost_usd: 0,
    intent_distribution: {},
    intents: [],
  };
  const quiet = days.map((date) => ({
    date,
    tokens: 0,
    requests: 0,
    cost_usd: 0,
    unique_users: 0,
  }));
  const fake = (name: string, full: unknown, empty: unknown) =>
    page.route(`**/api/v1/admin/analytics/${name}?*`, answer(200, isEmpty ? empty : full));
  await page.route('**/api/v1/admin/analytics/usage?*', (route) => {
    const end = new URL(route.request().url()).searchParams.get('end_date') ?? '';
    const isBefore = Date.parse(end) < Date.now() - 2 * 24 * 3_600_000;
    return answer(200, isEmpty ? nothing : isBefore ? usageBefore : usage)(route);
  });
  await fake('daily-usage', daily, quiet);
  await fake('top-users', users, []);
  await fake('top-models', models, []);
  await fake('top-teams', teams, []);
  await fake('top-api-keys', keys, []);
  await fake('spend-by-provider', spend, []);
  await fake('refusals', refusals, []);
  await fake('deviation', deviation, { dates: days, series: [], events: [] });
}
