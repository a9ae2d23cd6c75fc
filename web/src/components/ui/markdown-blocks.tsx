import { Button } from '@mantine/core';
import { Fragment, memo, type ReactNode, useState } from 'react';
import { formatCount } from '#lib/format-number.ts';
import { type MarkdownBlock, type MarkdownNode, parseMarkdown } from '#lib/markdown/parse-markdown.ts';
import styles from './markdown.module.css';
import { Snippet } from './snippet.tsx';

interface MarkdownBlocksProps {
  text: string;
  isGrowing?: boolean;
}

export function MarkdownBlocks({ text, isGrowing = false }: MarkdownBlocksProps) {
  const { blocks, referenceCount } = parseMarkdown(text);
  return blocks.map((block, index) => (
    <TopLevelBlock
      // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no id
      key={index}
      block={block}
      referenceCount={referenceCount}
      isGrowing={isGrowing && index === blocks.length - 1}
    />
  ));
}

interface TopLevelBlockProps {
  block: MarkdownBlock;
  referenceCount: number;
  isGrowing: boolean;
}

/** Memoized by source text, because a growing response changes only at its end. */
const TopLevelBlock = memo(
  ({ block: { node, source }, isGrowing }: TopLevelBlockProps) =>
    node === null ? <PlainText text={source} /> : <Node node={node} isGrowing={isGrowing} />,
  (before, after) =>
    before.isGrowing === after.isGrowing &&
    before.referenceCount === after.referenceCount &&
    before.block.source === after.block.source &&
    (before.block.node === null) === (after.block.node === null),
);

interface NodeProps {
  node: MarkdownNode;
  isGrowing: boolean;
}

function Node({ node, isGrowing }: NodeProps): ReactNode {
  const children = <Nodes nodes={node.children} isGrowing={isGrowing} />;
  switch (node.type) {
    case 'text':
    case 'text_special':
      return node.text;
    case 'plain':
      return <PlainText text={node.text} />;
    case 'softbreak':
    case 'hardbreak':
      return <br />;
    case 'code_inline':
      return <code className={styles.code}>{node.text}</code>;
    case 'fence':
    case 'code_block':
      return (
        <Snippet
          title={node.info === '' ? 'Code' : node.info}
          text={node.text.replace(/\n$/, '')}
          language={isGrowing ? undefined : /^\S*/.exec(node.info)?.[0]}
        />
      );
    case 'hr':
      return <hr className={styles.rule} />;
    case 'image':
      return <ImageText node={node} />;
    case 'link':
      return <Link node={node}>{children}</Link>;
    case 'tight':
      return children;
    default:
      return <Element node={node}>{children}</Element>;
  }
}

function Nodes({ nodes, isGrowing }: { nodes: readonly MarkdownNode[]; isGrowing: boolean }) {
  return nodes.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: nodes have no id
    <Fragment key={index}>
      <Node node={node} isGrowing={isGrowing && index === nodes.length - 1} />
    </Fragment>
  ));
}

function Element({ node, children }: { node: MarkdownNode; children: ReactNode }) {
  switch (node.type) {
    case 'heading':
      return <Heading level={Number(node.tag.slice(1))}>{children}</Heading>;
    case 'blockquote':
      return (
        <blockquote className={styles.quote} dir="auto">
          {children}
        </blockquote>
      );
    case 'bullet_list':
      return (
        <ul className={styles.list} dir="auto">
          {children}
        </ul>
      );
    case 'ordered_list':
      return (
        <ol className={styles.list} dir="auto" start={Number(node.attributes.start ?? 1)}>
          {children}
        </ol>
      );
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <div className={styles.scroller} tabIndex={0}>
          <table>{children}</table>
        </div>
      );
    case 'th':
    case 'td': {
      const Cell = node.type;
      return (
        <Cell dir="auto" style={alignmentOf(node)}>
          {children}
        </Cell>
      );
    }
    default: {
      const Tag = plainTags[node.type] ?? 'p';
      return <Tag dir={Tag === 'p' ? 'auto' : undefined}>{children}</Tag>;
    }
  }
}

/** HTML elements by token type. Other types are rendered as paragraphs. */
const plainTags: Readonly<Record<string, 'li' | 'thead' | 'tbody' | 'tr' | 'strong' | 'em' | 'del'>> = {
  list_item: 'li',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  strong: 'strong',
  em: 'em',
  s: 'del',
};

function alignmentOf({ attributes }: MarkdownNode): { textAlign: 'left' | 'center' | 'right' } | undefined {
  const [, textAlign] = /^text-align:(left|center|right)$/.exec(attributes.style ?? '') ?? [];
  return textAlign ? { textAlign: textAlign as 'left' | 'center' | 'right' } : undefined;
}

/** Headings are rendered two levels lower, below the title and sections of the page. */
function Heading({ level, children }: { level: number; children: ReactNode }) {
  const Tag = (['h3', 'h4', 'h5', 'h6'] as const)[Math.min(level, 4) - 1] ?? 'h6';
  return (
    <Tag className={styles.heading} data-level={level} dir="auto">
      {children}
    </Tag>
  );
}

/** Renders a link to a web page or email address with its destination visible. Other links are rendered as text. */
function Link({ node, children }: { node: MarkdownNode; children: ReactNode }) {
  const url = node.attributes.href ?? '';
  const destination = parseDestination(url);
  if (destination === null)
    return (
      <>
        {children} <span className={styles.url}>({url})</span>
      </>
    );
  return (
    <>
      <a href={url} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {!textOf(node).includes(destination) && <span className={styles.url}> ({destination})</span>}
    </>
  );
}

/** Returns `null` if the URL may not be opened. */
function parseDestination(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, pathname } = new URL(url);
  if (protocol === 'https:' || protocol === 'http:') return host;
  return protocol === 'mailto:' ? pathname : null;
}

function ImageText({ node }: { node: MarkdownNode }) {
  return (
    <>
      Image: {textOf(node)} <span className={styles.url}>({node.attributes.src})</span>
    </>
  );
}

const textOf = ({ text, children }: MarkdownNode): string =>
  children.length === 0 ? text : children.map(textOf).join('');

const drawnMax = 20_000;

/** Only the beginning is rendered until the user expands the text. */
function PlainText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= drawnMax) return <span className={styles.plain}>{text}</span>;
  return (
    <>
      <span className={styles.plain}>{text.slice(0, drawnMax)}</span>
      <Button variant="default" onClick={() => setWhole(true)}>
        Show all {formatCount(text.length)} characters
      </Button>
    </>
  );
}
