import { type Invitation, type InvitationDetails, invitationsRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { loadPages } from '#lib/load-pages.ts';

const calls = createApiClient(invitationsRoutes);

export type InvitationStatus = Invitation['status'];

const everything = ['invitations'] as const;
const pageSize = 50;

export const invitationsQuery = (status: InvitationStatus | undefined) =>
  queryOptions({
    queryKey: [...everything, 'list', status ?? 'all'],
    queryFn: ({ signal }) =>
      loadPages<Invitation>(pageSize, ({ limit }, last) =>
        calls.listInvitations({ query: { status_filter: status, limit, before: last?.id } }, { signal }),
      ),
    placeholderData: keepPreviousData,
  });

export const invitationStatsQuery = queryOptions({
  queryKey: [...everything, 'stats'],
  queryFn: ({ signal }) => calls.getInvitationStats(undefined, { signal }),
});

/** A failed request is not retried, because an invalid link remains invalid. */
export const invitationDetailsQuery = (token: string) =>
  queryOptions<InvitationDetails>({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => calls.getInvitationDetails({ params: { token } }, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useInvite = () => useInvitationChange(calls.createInvitation);

/** Resolves to one entry per row: the rejection, or `null`. */
export const useInviteMany = () =>
  useInvitationChange((invitations: Record<string, unknown>[]) =>
    calls.createInvitations({ body: { invitations } }),
  );

export const useResendInvitation = () => useInvitationChange(calls.resendInvitation);

export const useCancelInvitation = () => useInvitationChange(calls.cancelInvitation);

type Acceptance = Parameters<typeof calls.acceptInvitation>[0];

export const useAcceptInvitation = () =>
  useMutation({ mutationFn: (acceptance: Acceptance) => calls.acceptInvitation(acceptance) });

function useInvitationChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(input),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: everything });
      void queryClient.invalidateQueries({ queryKey: ['outbox'] });
    },
  });
}
