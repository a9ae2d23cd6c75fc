import { useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

type Trial = Parameters<typeof api.governance.replayPolicy>[0]['body'];

/** Whom a policy would have warned or blocked; reads only. */
export const useReplay = () =>
  useMutation({ mutationFn: (body: Trial) => api.governance.replayPolicy({ body }) });
