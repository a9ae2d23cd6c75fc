import { Button } from '@mantine/core';
import { useState } from 'react';
import { BusyOverlay } from '#components/ui/busy-overlay.tsx';
import { useConfirm } from '#components/ui/confirm.tsx';
import type { Question } from '#components/ui/confirm-dialog.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Dialog, DialogFooter } from '#components/ui/dialog.tsx';
import { Drawer } from '#components/ui/drawer.tsx';
import { SecretPanel } from '#components/ui/secret-panel.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { Snippet, SnippetTabs } from '#components/ui/snippet.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { Part, PartGroup } from './part.tsx';

const questions: Record<string, Question> = {
  'Confirm an action': {
    title: 'Create an API key for Mira Novak?',
    confirmLabel: 'Create key',
  },
  'Confirm a destructive action': {
    title: 'Revoke API key',
    message: 'This cannot be undone. 37 requests in the last hour used it.',
    confirmLabel: 'Revoke key',
    isDanger: true,
  },
  'Confirm by name': {
    title: 'Delete provider',
    message: 'Requests that only this provider serves will be refused.',
    confirmLabel: 'Delete provider',
    isDanger: true,
    typeToConfirm: 'northwind-main',
  },
};

const busyMs = 1500;

export function DialogParts() {
  const [open, setOpen] = useState<'dialog' | 'drawer' | null>(null);
  const [busyText, setBusyText] = useState<string | null>(null);
  const close = () => setOpen(null);

  const block = () => {
    setBusyText('Blocking user...');
    setTimeout(() => setBusyText(null), busyMs);
  };

  return (
    <PartGroup title="Dialogs">
      <Part name="Dialog, Drawer">
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
        <Button variant="default" onClick={() => setOpen('drawer')}>
          Open drawer
        </Button>
      </Part>
      <ConfirmPart />
      <Part name="BusyOverlay">
        <Button variant="default" onClick={block}>
          Block user
        </Button>
      </Part>
      <Dialog isOpen={open === 'dialog'} onClose={close} title="A long dialog" size="lg">
        <SkeletonLines count={60} />
        <DialogFooter>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button onClick={close}>Done</Button>
        </DialogFooter>
      </Dialog>
      <Drawer isOpen={open === 'drawer'} onClose={close} title="Aiko Tanaka · gpt-5-mini">
        <SkeletonLines count={8} />
      </Drawer>
      <BusyOverlay text={busyText} />
    </PartGroup>
  );
}

function ConfirmPart() {
  const [answer, setAnswer] = useState('none yet');
  const confirm = useConfirm();
  return (
    <Part name="useConfirm">
      {Object.entries(questions).map(([name, question]) => (
        <Button
          key={name}
          variant="default"
          onClick={async () => setAnswer((await confirm(question)) ? 'yes' : 'no')}
        >
          {name}
        </Button>
      ))}
      <span role="status">Answer: {answer}</span>
    </Part>
  );
}

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
