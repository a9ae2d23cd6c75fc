import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Snippet } from '#components/ui/snippet.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { readActingTenant } from '#lib/acting-tenant.ts';
import { chatSnippet, pickModel, snippetLanguages } from '#lib/chat-snippet.ts';
import { messageOf } from '#lib/describe-failure.ts';
import { formatDuration } from '#lib/format-time.ts';
import { useRemembered } from '#lib/remembered.ts';
import panelsStyles from './panels.module.css';
import { llmProvidersQuery, useTryRequest } from './queries.ts';

const sandboxModel = 'sandbox-normal';

/** How to call the gateway: base URL and an example in the language selected last. */
export function CallPanel() {
  return (
    <section className={panelsStyles.panel} aria-labelledby="call">
      <header className={panelsStyles.header}>
        <h2 id="call">Call this gateway</h2>
      </header>
      <CallHelp />
    </section>
  );
}

/** Base URL, example and a button that sends it. */
export function CallHelp() {
  const { data: providers = [] } = useQuery(llmProvidersQuery);
  const [language, setLanguage] = useRemembered('snippet', snippetLanguages);
  const model = pickModel(providers) ?? sandboxModel;
  const { origin } = window.location;
  return (
    <div className={panelsStyles.call}>
      <p className={panelsStyles.explanation}>Any OpenAI client works with this base URL and an API key.</p>
      <Snippet title="Base URL" text={`${origin}/api/v1`} />
      <SegmentedControl
        aria-label="Language of the example"
        data={[...snippetLanguages]}
        value={language}
        onChange={(choice) => setLanguage(choice)}
      />
      <Snippet title={language} text={chatSnippet(language, origin, model)} />
      <TryRequest key={model} model={model} />
    </div>
  );
}

/** Sends the example from the page, without a key or a shell. */
function TryRequest({ model }: { model: string }) {
  const { data, error, isPending, mutate } = useTryRequest(model);
  if (readActingTenant() !== null) return null;
  return (
    <div className={panelsStyles.attempt}>
      <div className={panelsStyles.send}>
        <Button variant="default" aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {isPending ? 'Waiting for the answer...' : 'Send it now'}
        </Button>
        <span className="quiet">Sent as you, without a key. It counts and costs like any other request.</span>
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
            <p className={panelsStyles.answer}>{data.text || 'The answer has no text.'}</p>
          </>
        )}
        {error && <StatusMark kind="bad">{messageOf(error, 'The gateway cannot be reached.')}</StatusMark>}
      </div>
    </div>
  );
}
