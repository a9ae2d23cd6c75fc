import { authRoutes, portalRoutes, promptReadsRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { createApiClient } from '#lib/api.ts';
import { downloadFile, readFileName } from '#lib/download-file.ts';
import { currentUserQuery } from '#lib/session.ts';
import { renewToken } from '#lib/token.ts';

const calls = createApiClient(portalRoutes);
/** Client that keeps the session if the server rejects the current password. */
const authCalls = createApiClient(authRoutes, { isSessionKept: true });

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => calls.getUserProfile(undefined, { signal }),
});

export function useRename() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: (name: string) => calls.updateUserProfile({ body: { name } }),
    onSuccess: async (profile) => {
      queryClient.setQueryData(profileQuery.queryKey, profile);
      queryClient.setQueryData(currentUserQuery.queryKey, (user) => user && { ...user, name: profile.name });
      // The account menu reads the user from the route context.
      await router.invalidate();
    },
  });
}

interface NewPassword {
  current_password: string;
  new_password: string;
}

/** All other sessions end. This session continues with a new token. */
export const changePassword = (body: NewPassword) =>
  renewToken(async () => (await authCalls.changeOwnPassword({ body })).access_token);

/** Returns the file name. */
export async function saveOwnData(): Promise<string> {
  let fileName = 'sluice-my-data.json';
  const onHeaders = (headers: Headers) => {
    fileName = readFileName(headers) ?? fileName;
  };
  const content = await calls.exportUserData(undefined, { onHeaders });
  downloadFile(fileName, content);
  return fileName;
}

const promptReads = createApiClient(promptReadsRoutes);

export const promptReadsQuery = queryOptions({
  queryKey: ['prompt-reads'],
  queryFn: ({ signal }) => promptReads.listPromptReads({ query: { limit: 20 } }, { signal }),
});

const sessionsKey = ['own-sessions'];

export const sessionsQuery = queryOptions({
  queryKey: sessionsKey,
  queryFn: ({ signal }) => authCalls.listSessions(undefined, { signal }),
});

export function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    /** `null` ends all other sessions. */
    mutationFn: (id: string | null) =>
      id === null ? authCalls.endOtherSessions() : authCalls.endSession({ params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsKey }),
  });
}
