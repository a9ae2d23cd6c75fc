import { useQuery } from '@tanstack/react-query';
import { Drawer } from '#components/ui/drawer.tsx';
import { Snippet, SnippetTabs } from '#components/ui/snippet.tsx';
import { TryRequest } from '#components/ui/try-request.tsx';
import { chatSnippet, pickModel } from '#lib/chat-snippet.ts';
import panelsStyles from './panels.module.css';
import { llmProvidersQuery } from './queries.ts';

const sandboxModel = 'sandbox-normal';

/** The example uses the language that was selected last. */
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

function CallHelp() {
  const { data: providers = [] } = useQuery(llmProvidersQuery);
  const model = pickModel(providers) ?? sandboxModel;
  const { origin } = window.location;
  return (
    <div className={panelsStyles.call}>
      <p className={panelsStyles.explanation}>Any OpenAI client works with this base URL and an API key.</p>
      <Snippet title="Base URL" text={`${origin}/api/v1`} />
      <SnippetTabs
        texts={{
          curl: chatSnippet('curl', origin, model),
          Python: chatSnippet('Python', origin, model),
          TypeScript: chatSnippet('TypeScript', origin, model),
        }}
      />
      <TryRequest key={model} model={model} />
    </div>
  );
}

export function CallDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Drawer isOpen={isOpen} onClose={onClose} title="Call this gateway">
      <div className={panelsStyles.help}>
        <CallHelp />
      </div>
    </Drawer>
  );
}
