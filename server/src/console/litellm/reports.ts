import { type LitellmModels, type LitellmSpendReport, type litellmRoutes, toUsd } from '@sluice/contract';
import { readRange } from '#console/analytics/range.ts';
import { listOfferedModels } from '#console/llm-providers/list-models.ts';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { RouteInput } from '#http/console-route.ts';
import { findModelFacts } from '#providers/model-facts/find-model-facts.ts';
import { type LitellmKeyring, requireKeyId, requireTeamId, requireUserId } from './keys.ts';
import { selectSpend, spendGroupsMax } from './store.ts';

/** Lists each enabled model and each alias, with prices without markup. */
export async function listLitellmModels(tx: TenantTransaction, author: Principal): Promise<LitellmModels> {
  const models = await listOfferedModels(tx, author, 'enabled');
  const data = models.flatMap(({ aliases, llm_provider_id, model, pricing, provider_key }) => {
    const facts = findModelFacts(provider_key, model);
    const perToken = (perThousand: number | null | undefined) =>
      perThousand == null ? null : perThousand / 1_000;
    return [model, ...aliases].map((name) => ({
      model_name: name,
      litellm_params: { model: `${provider_key}/${model}` },
      model_info: {
        id: `${llm_provider_id}/${name}`,
        litellm_provider: provider_key,
        max_input_tokens: facts?.context ?? pricing?.max_tokens ?? null,
        max_output_tokens: facts?.output ?? null,
        input_cost_per_token: perToken(pricing?.input_per_1k),
        output_cost_per_token: perToken(pricing?.output_per_1k),
      },
    }));
  });
  return { data };
}

type SpendRow = Awaited<ReturnType<typeof selectSpend>>[number];

/**
 * Requests without a team are listed under "Unassigned".
 * @throws ConsoleError 422 if the range has too many groups
 */
export async function getSpendReport(
  keyring: LitellmKeyring,
  tx: LogTransaction,
  author: Principal,
  { query }: Pick<RouteInput<typeof litellmRoutes.getLitellmSpendReport>, 'query'>,
): Promise<LitellmSpendReport> {
  const { api_key, end_date, group_by, internal_user_id, start_date, team_id } = query;
  const range = await readRange(tx.reports, author.tenantId, { days: 1, start_date, end_date });
  const rows = await selectSpend(tx.reports, range, {
    apiKeyId: api_key === undefined ? undefined : await requireKeyId(keyring, tx, author, api_key),
    userId: internal_user_id === undefined ? undefined : await requireUserId(tx, author, internal_user_id),
    teamId: team_id === undefined ? undefined : await requireTeamId(tx, author, team_id),
  });
  if (rows.length > spendGroupsMax) {
    throw new ConsoleError(
      422,
      `The report has more than ${spendGroupsMax.toLocaleString('en-US')} rows. Request fewer days.`,
    );
  }
  const byKey = group_by === 'api_key' || api_key !== undefined || internal_user_id !== undefined;
  return byKey ? reportByKey(rows) : reportByTeam(rows);
}

const costOf = (rows: readonly SpendRow[]) => toUsd(rows.reduce((sum, { cost }) => sum + BigInt(cost), 0n));
const sumOf = (rows: readonly SpendRow[], field: 'input' | 'output') =>
  rows.reduce((sum, row) => sum + row[field], 0);
const nameKey = ({ apiKeyId }: SpendRow) => (apiKeyId === null ? null : String(apiKeyId));

function reportByTeam(rows: readonly SpendRow[]) {
  return [...Map.groupBy(rows, ({ day }) => day)].map(([day, ofDay]) => ({
    group_by_day: day,
    teams: [...Map.groupBy(ofDay, ({ teamId }) => teamId)].map(([teamId, ofTeam]) => ({
      team_name: ofTeam[0]?.team ?? 'Unassigned',
      team_id: teamId === null ? null : String(teamId),
      total_spend: costOf(ofTeam),
      metadata: ofTeam.map((row) => ({
        model: row.model ?? '',
        api_key: nameKey(row),
        spend: costOf([row]),
        total_tokens: row.input + row.output,
      })),
    })),
  }));
}

function reportByKey(rows: readonly SpendRow[]) {
  const sums = (some: readonly SpendRow[]) => ({
    total_cost: costOf(some),
    total_input_tokens: sumOf(some, 'input'),
    total_output_tokens: sumOf(some, 'output'),
  });
  return [...Map.groupBy(rows, nameKey)].map(([key, ofKey]) => ({
    api_key: key,
    ...sums(ofKey),
    model_details: [...Map.groupBy(ofKey, ({ model }) => model ?? '')].map(([model, ofModel]) => ({
      model,
      ...sums(ofModel),
    })),
  }));
}
