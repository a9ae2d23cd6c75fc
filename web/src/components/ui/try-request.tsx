import { Button } from '@mantine/core';
import { completionsRoutes } from '@sluice/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readActingTenant } from '#lib/acting-tenant.ts';
import { createApiClient } from '#lib/api.ts';
import { messageOf } from '#lib/describe-failure.ts';
import { formatDuration } from '#lib/format-time.ts';
import { StatusMark } from './status-mark.tsx';
import styles from './try-request.module.css';

const completions = createApiClient(completionsRoutes, { isSessionKept: true });

/** Sends the request as the signed-in user, without an API key or a shell. */
export function TryRequest({ model }: { model: string }) {
  const { data, error, isPending, mutate } = useTryRequest(model);
  if (readActingTenant() !== null) return null;
  return (
    <div className={styles.attempt}>
      <div className={styles.send}>
        <Button variant="default" aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {isPending ? 'Waiting for the answer...' : 'Send it now'}
        </Button>
        <span className="quiet">
          Sent as you, without a key. It counts toward your limits and costs as much as any other request.
        </span>
      </div>
      <div role="status">
        {data && (
          <>
            <StatusMark kind="ok">
              {model} answered in {formatDuration(data.durationMs)}.{' '}
              <Link to="/admin/logs" search={{ open: data.requestId }}>
                Open the request
              </Link>
            </StatusMark>
            <p className={styles.answer}>{data.text || 'The answer has no text.'}</p>
          </>
        )}
        {error && <StatusMark kind="bad">{messageOf(error, 'The gateway cannot be reached.')}</StatusMark>}
      </div>
    </div>
  );
}

/** Returns the request id and the duration. */
function useTryRequest(model: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      let requestId = '';
      const startedMs = performance.now();
      const body = {
        model,
        messages: [{ role: 'user' as const, content: 'Hello' }],
        format: 'minimal' as const,
      };
      const onHeaders = (headers: Headers) => {
        requestId = headers.get('x-request-id') ?? '';
      };
      const answer = await completions.createChatCompletion({ body }, { onHeaders });
      const text = 'content' in answer ? String(answer.content ?? '') : '';
      return { text, requestId, durationMs: performance.now() - startedMs };
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['first-steps'] }),
  });
}
