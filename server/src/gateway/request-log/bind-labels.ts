import type { Labels } from '@sluice/contract';
import { mergeLabels, parseLabelHeader } from '#domain/labels.ts';
import { apiKeyIdOf, type Principal } from '#domain/principal.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Parsed, StageResults } from '../exchange.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { TeamEntry } from '../snapshot/tables/callers.ts';
import type { TaskEntry } from '../snapshot/tables/tasks.ts';

const headerName = 'x-sluice-labels';

export function bindLabels(
  { principal, request }: Pick<Parsed, 'principal' | 'request'>,
  task: TaskEntry | null,
  snapshot: Snapshot,
): StageResults['bindTask']['labelsUnder'] {
  const keyId = apiKeyIdOf(principal);
  const sources = {
    user: snapshot.users.get(principal.userId)?.labels,
    task: task?.labels,
    key: keyId === null ? null : snapshot.apiKeys.get(keyId)?.labels,
    team: undefined as Labels | null | undefined,
    request: readLabels(request.headers[headerName], principal, snapshot),
  };
  return (teamId) => {
    sources.team = findTeamLabels(teamId, principal, snapshot);
    return mergeLabels(sources);
  };
}

/** If no team grant applies, a user's only team provides the labels. Users in several teams get no team labels. */
function findTeamLabels(
  teamId: number | null,
  { userId }: Principal,
  { teamMembers, teams }: Snapshot,
): Labels | null | undefined {
  if (teamId !== null) return teams.get(teamId)?.labels;
  let only: TeamEntry | undefined;
  for (const member of teamMembers.find(userId)) {
    const team = member.isActive ? teams.get(member.teamId) : undefined;
    if (!team?.isActive) continue;
    if (only) return null;
    only = team;
  }
  return only?.labels;
}

function readLabels(
  value: string | string[] | undefined,
  { tenantId }: Principal,
  { tenants }: Snapshot,
): Labels | null {
  if (value === undefined || value === '') return null;
  if (!tenants.get(tenantId)?.acceptsRequestLabels)
    throw labelsError(
      'your organization does not accept labels in requests. Omit the header, or ask your administrator to allow it.',
    );
  const parsed = parseLabelHeader(String(value));
  if (!parsed.ok) throw labelsError(parsed.problem);
  return parsed.labels;
}

function labelsError(problem: string): GatewayError {
  return new GatewayError('invalid_request', `Invalid value for '${headerName}': ${problem}`, {
    param: headerName,
  });
}
