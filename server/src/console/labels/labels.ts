import type { LabelsOfSubject, labelsBody } from '@sluice/contract';
import type { z } from 'zod';
import { requireTask } from '#console/tasks/change.ts';
import { requireTeamAlone } from '#console/teams/read.ts';
import { lockTarget } from '#console/users/target.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { type Labeled, selectLabels, updateLabels } from './store.ts';

type Noun = Labeled['noun'];

interface Change {
  readonly id: number;
  readonly body: z.output<typeof labelsBody>;
}

const requireAlone: Readonly<
  Record<Noun, (tx: TenantTransaction, author: Author, id: number) => Promise<unknown>>
> = {
  Team: requireTeamAlone,
  User: lockTarget,
  Task: (tx, { tenantId }, id) => requireTask(tx, tenantId, id),
};

export const getLabelsOf =
  (noun: Noun) =>
  async (tx: TenantTransaction, { tenantId }: Author, id: number): Promise<LabelsOfSubject> => {
    const labels = await selectLabels(tx, { noun, tenantId, id });
    if (!labels) throw notFound(noun);
    return { labels };
  };

/** Only later requests receive the new labels. */
export const setLabelsOf =
  (noun: Noun) =>
  async (tx: TenantTransaction, author: Author, { id, body }: Change): Promise<LabelsOfSubject> => {
    await requireAlone[noun](tx, author, id);
    await updateLabels(tx, { noun, tenantId: author.tenantId, id }, body.labels);
    return getLabelsOf(noun)(tx, author, id);
  };
