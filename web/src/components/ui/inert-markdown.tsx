import { Button } from '@mantine/core';
import { Fragment, memo, useState } from 'react';
import { formatCount } from '../../lib/format-number.ts';
import { type Block, isSameBlock, parseBlocks } from '../../lib/markdown/parse-blocks.ts';
import { type Inline, parseInlines } from '../../lib/markdown/parse-inlines.ts';
import styles from './inert-markdown.module.css';
import { Snippet } from './snippet.tsx';

interface InertMarkdownProps {
  text: string;
  /** Whether more of it is to come: its last block has no colours before it has ended. */
  isGrowing?: boolean;
}

/** A Markdown text of a stranger: no link leads anywhere, no image is loaded, HTML is text, code can be copied. */
export function InertMarkdown({ text, isGrowing = false }: InertMarkdownProps) {
  const blocks = parseBlocks(text);
  return (
    <div className={styles.markdown}>
      {blocks.map((block, index) => (
        <MarkdownBlock
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks are in the order of the text
          key={index}
          block={block}
          isGrowing={isGrowing && index === blocks.length - 1}
        />
      ))}
    </div>
  );
}

interface MarkdownBlockProps {
  block: Block;
  isGrowing: boolean;
}

/** A block; it is drawn anew only when it has changed, since an answer that comes in grows at its end alone. */
const MarkdownBlock = memo(
  drawBlock,
  (before, after) => before.isGrowing === after.isGrowing && isSameBlock(before.block, after.block),
);

function drawBlock({ block, isGrowing }: MarkdownBlockProps) {
  switch (block.kind) {
    case 'code':
      return (
        <Snippet
          title={block.language === '' ? 'Code' : block.language}
          text={block.text}
          language={isGrowing ? undefined : block.language}
        />
      );
    case 'plain':
      return <PlainText text={block.text} />;
    case 'heading':
      return (
        <p className={styles.heading}>
          <Inlines text={block.text} />
        </p>
      );
    case 'quote':
      return (
        <blockquote className={styles.quote}>
          <Inlines text={block.text} />
        </blockquote>
      );
    case 'list':
      return <ItemList block={block} />;
    case 'table':
      return <Table rows={block.rows} />;
    case 'rule':
      return <hr className={styles.rule} />;
    case 'paragraph':
      return (
        <p>
          <Inlines text={block.text} />
        </p>
      );
  }
}

/** As much as is drawn in a moment. */
const plainMax = 20_000;

function PlainText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= plainMax) return <p>{text}</p>;
  return (
    <>
      <p>{text.slice(0, plainMax)}</p>
      <Button variant="default" onClick={() => setWhole(true)}>
        Show all {formatCount(text.length)} characters
      </Button>
    </>
  );
}

function ItemList({ block: { items } }: { block: Extract<Block, { kind: 'list' }> }) {
  return (
    <ul className={styles.list}>
      {items.map(({ mark, depth, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items are in the order of the text
        <li key={index} style={{ marginInlineStart: `${depth}rem` }}>
          <span className={styles.mark}>{mark}</span>
          <span>
            <Inlines text={text} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Table({ rows }: { rows: readonly (readonly string[])[] }) {
  return (
    <div className={styles.wide}>
      <table>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows and cells are in the order of the text
            <tr key={row}>
              {cells.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={column}>
                  <Inlines text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Inlines({ text }: { text: string }) {
  return <Pieces pieces={parseInlines(text)} />;
}

function Pieces({ pieces }: { pieces: readonly Inline[] }) {
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are in the order of the line
    <Fragment key={index}>
      <Piece piece={piece} />
    </Fragment>
  ));
}

function Piece({ piece }: { piece: Inline }) {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'code':
      return <code className={styles.code}>{piece.text}</code>;
    case 'strong':
      return (
        <strong>
          <Pieces pieces={piece.children} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Pieces pieces={piece.children} />
        </em>
      );
    case 'link':
    case 'image':
      return (
        <>
          {piece.kind === 'image' && 'Image: '}
          {piece.text} <span className={styles.address}>({piece.address})</span>
        </>
      );
  }
}
