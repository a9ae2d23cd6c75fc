import { Button } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { SecretPanel } from '../../components/ui/secret-panel.tsx';
import { Snippet } from '../../components/ui/snippet.tsx';
import { SnippetTabs } from '../../components/ui/snippet-tabs.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { Part, PartGroup } from './part.tsx';

const texts = {
  curl: `curl https://sluice.example/api/v1/chat/completions \\
  -H "Authorization: Bearer $SLUICE_API_KEY" \\
  -d '{"model": "gpt-5-mini", "messages": [{"role": "user", "content": "Hello"}]}'`,
  Python: `from openai import OpenAI

client = OpenAI(base_url="https://sluice.example/api/v1")
answer = client.chat.completions.create(model="gpt-5-mini", messages=[{"role": "user", "content": "Hello"}])`,
  TypeScript: `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: 'https://sluice.example/api/v1' });
const answer = await client.chat.completions.create({ model: 'gpt-5-mini', messages: [{ role: 'user', content: 'Hello' }] });`,
};

export function SecretParts() {
  const [isOpen, setOpen] = useState(false);
  return (
    <PartGroup title="Secrets and snippets">
      <Part name="SecretPanel">
        <Button onClick={() => setOpen(true)}>Show a secret once</Button>
        <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="API key created">
          <SecretPanel
            secret="slc_EXAMPLEexampleEXAMPLEexample0123x4f2"
            label="API key"
            variable="SLUICE_API_KEY"
            warning="This key is shown only once. Store it now."
            onCopied={() => showSuccess('API key copied to clipboard!')}
            onStored={() => setOpen(false)}
          />
        </Dialog>
      </Part>
      <Part name="CopyButton">
        <CopyButton text="0199a0b2-7f5e-7c31" label="Copy request ID" />
      </Part>
      <Part name="Snippet">
        <Snippet title="JSON" text={'{ "detail": "Email is required" }'} />
      </Part>
      <Part name="SnippetTabs">
        <SnippetTabs texts={texts} />
      </Part>
    </PartGroup>
  );
}
