import { type SignedInTool, signedInToolsRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';

/** Example: `Claude Code on laptop`. */
export const nameTool = ({ tool_name, device_name }: Pick<SignedInTool, 'tool_name' | 'device_name'>) =>
  device_name === '' ? tool_name : `${tool_name} on ${device_name}`;

const calls = createApiClient(signedInToolsRoutes);
const toolsKey = ['signed-in-tools'];

export const toolsQuery = queryOptions({
  queryKey: toolsKey,
  queryFn: ({ signal }) => calls.listSignedInTools(undefined, { signal }),
});

/** The user's details include the number of signed-in tools, so a change of the tools refetches them. */
const userKey = (userId: number) => ['users', userId];

export const userToolsQuery = (userId: number) =>
  queryOptions({
    queryKey: [...userKey(userId), 'signed-in-tools'],
    queryFn: ({ signal }) => calls.listUserSignedInTools({ params: { id: userId } }, { signal }),
  });

export function useRevokeUserTool(userId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (toolId: number) => calls.revokeUserSignedInTool({ params: { id: userId, toolId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: userKey(userId) }),
  });
}

export function useRevokeTool() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => calls.revokeSignedInTool({ params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: toolsKey }),
  });
}

export const findTool = (user_code: string) => calls.findPendingTool({ body: { user_code } });

/** Denies the tool if `task_id` is `null`. */
export const decideTool = async ({ user_code, task_id }: { user_code: string; task_id: number | null }) => {
  if (task_id === null) await calls.denyTool({ body: { user_code } });
  else await calls.allowTool({ body: { user_code, task_id } });
};
