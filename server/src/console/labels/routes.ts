import type { labelsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import { getLabelsOf, setLabelsOf } from './labels.ts';

export function createLabelsHandlers(): Handlers<typeof labelsRoutes> {
  const idOf = ({ params }: { params: { id: number } }) => params.id;
  const changeOf = <Body>({ params, body }: { params: { id: number }; body: Body }) => ({
    id: params.id,
    body,
  });
  return {
    getTeamLabels: read(getLabelsOf('Team'), idOf),
    setTeamLabels: write(setLabelsOf('Team'), changeOf),
    getUserLabels: read(getLabelsOf('User'), idOf),
    setUserLabels: write(setLabelsOf('User'), changeOf),
    getTaskLabels: read(getLabelsOf('Task'), idOf),
    setTaskLabels: write(setLabelsOf('Task'), changeOf),
  };
}
