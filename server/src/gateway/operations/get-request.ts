import { type OwnRequest, toUsd } from '@sluice/contract';
import { shareOf, withShare } from '#db/fair-pool.ts';
import type { RunInTenant } from '#db/tenant.ts';
import type { OwnRow } from '#domain/request-log/log-rows.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Authenticated } from '../exchange.ts';
import { sendJson } from '../response/answer-error.ts';

/** Returns the cost and judgment of the caller's own request. Requests of other users are not found. */
export async function answerRequest(exchange: Authenticated, runInTenant: RunInTenant): Promise<void> {
  const { parameter, principal } = exchange;
  const id = parameter ?? '';
  const row = uuidPattern.test(id) ? await findOwnRow(id, principal, runInTenant) : undefined;
  if (!row) {
    throw new GatewayError(
      'not_found',
      'You have no request with this id. A request becomes available about a second after it ends.',
    );
  }
  sendJson(exchange, 200, Buffer.from(JSON.stringify(toOwnRequest(row))));
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function findOwnRow(id: string, { tenantId, userId }: Authenticated['principal'], runInTenant: RunInTenant) {
  return withShare(shareOf({ tenantId, userId }), () =>
    runInTenant(tenantId, ({ requestLog }) => requestLog.findOwnRow(id, userId)),
  );
}

function toOwnRequest(row: OwnRow): OwnRequest {
  const { userScoreBefore: before, userScoreAfter: after, deviationScoreDelta: change } = row;
  const isMoved = before !== null && after !== null && change !== null;
  return {
    id: row.id,
    created_at: row.receivedAt.toISOString(),
    task_id: row.taskId,
    model: row.model,
    status: row.status,
    http_status: row.httpStatus,
    error_code: row.errorCode,
    error_message: row.errorMessage,
    usage: {
      prompt_tokens: row.promptTokens,
      completion_tokens: row.completionTokens,
      total_tokens: row.promptTokens + row.completionTokens,
      source: row.usageSource,
    },
    cost: row.costNanoUsd === null ? null : toUsd(row.costNanoUsd),
    intent: row.intentClassification,
    confidence: row.confidenceScore,
    deviation: isMoved ? { before, after, change, receipts: row.deviationReceipts ?? [] } : null,
  };
}
