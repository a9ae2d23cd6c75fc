import { z } from 'zod';
import { createBlock } from '#domain/access/block.ts';
import type {
  AssignmentEntry,
  BlacklistEntry,
  TaskEntry,
  TeamEntry,
  TeamGrantEntry,
  TeamMemberEntry,
} from './entries.ts';
import type { RowReader } from './rows.ts';

const teamRow = z.object({ id: z.number(), tenantId: z.number(), name: z.string(), isActive: z.boolean() });

export const readTeam: RowReader<TeamEntry> = {
  select: `SELECT t.id, t.tenant_id AS "tenantId", t.name, t.is_active AS "isActive" FROM teams t WHERE true`,
  idType: 'integer',
  toEntry: (row) => teamRow.parse(row),
};

const teamMemberRow = z.object({
  id: z.number(),
  teamId: z.number(),
  userId: z.number(),
  isActive: z.boolean(),
});

export const readTeamMember: RowReader<TeamMemberEntry> = {
  select: `SELECT t.id, t.team_id AS "teamId", t.user_id AS "userId", t.is_active AS "isActive"
    FROM team_members t WHERE true`,
  idType: 'integer',
  toEntry: (row) => teamMemberRow.parse(row),
};

const teamGrantRow = z.object({
  id: z.number(),
  teamId: z.number(),
  instanceId: z.number(),
  models: z.array(z.string()),
});

export const readTeamGrant: RowReader<TeamGrantEntry> = {
  select: `SELECT t.id, t.team_id AS "teamId", t.llm_provider_id AS "instanceId", t.allowed_models AS models
    FROM team_provider_access t WHERE true`,
  idType: 'integer',
  toEntry(row) {
    const { models, ...grant } = teamGrantRow.parse(row);
    return { ...grant, models: new Set(models) };
  },
};

const blacklistRow = z.object({
  id: z.number(),
  tenantId: z.number(),
  providerKey: z.string(),
  modelPattern: z.string().nullable(),
  reason: z.string(),
});

export const readBlacklistEntry: RowReader<BlacklistEntry> = {
  select: `SELECT t.id, t.tenant_id AS "tenantId", t.provider_key AS "providerKey", t.model_pattern AS "modelPattern",
      t.reason FROM blacklist_entries t WHERE true`,
  idType: 'integer',
  toEntry(row) {
    const entry = blacklistRow.parse(row);
    return { ...createBlock(entry), tenantId: entry.tenantId };
  },
};

const taskRow = z.object({
  id: z.number(),
  tenantId: z.number(),
  title: z.string(),
  description: z.string(),
  category: z.enum(['coding', 'testing', 'documentation', 'research', 'other']),
  tokenLimit: z.number().nullable(),
  maxTokensPerRequest: z.number().nullable(),
  isActive: z.boolean(),
  isApiAccess: z.boolean(),
});

export const readTask: RowReader<TaskEntry> = {
  select: `SELECT t.id, t.tenant_id AS "tenantId", t.title, t.description, t.category,
      t.token_limit::float8 AS "tokenLimit", t.max_tokens_per_request AS "maxTokensPerRequest",
      t.is_active AS "isActive", t.is_dummy_task AS "isApiAccess" FROM tasks t WHERE t.deleted_at IS NULL`,
  idType: 'integer',
  toEntry: (row) => taskRow.parse(row),
};

const assignmentRow = z.object({ id: z.number(), taskId: z.number(), userId: z.number() });

export const readAssignment: RowReader<AssignmentEntry> = {
  select: `SELECT t.id, t.task_id AS "taskId", t.user_id AS "userId"
    FROM task_assignments t WHERE t.status = 'active'`,
  idType: 'integer',
  toEntry: (row) => assignmentRow.parse(row),
};
