export const CARDS_RULE = `A flashcard is a block. SiYuan shows the question and hides the rest until the person asks for it.

## Forms
- Question and answer: op=create with cards. Each becomes a list of one item, with the answer in a list below it. The answer may be several blocks, with formulas, code, or a list; the question has no list.
- A gap: a paragraph with the hidden words marked. Write it with insert_blocks, then op=create with its id.
\`\`\`
Water boils at ==100 °C== at the level of the sea.
\`\`\`
- Blocks that exist: a list hides what is below its items, a heading what is below it, a super block all but its first block. A quote hides nothing.

## Good cards
- One fact for each card. A list of five is five cards, or five gaps.
- Ask so that only one answer is right, and so that it can be said in a few words. Not "What about X?", not yes or no.
- Give the context in the question ("In SQL, …"): cards come without their note.
- Write the answer from the note, in its words and language; invent nothing. End the answer with a reference to the block it is from, ((id "source")), where that is no give-away.
- Do not make cards of what is not worth knowing in a year.

## Steps
1. Read the note. Look with op=list first, so that nothing becomes a card twice.
2. op=create with all cards at once: the user sees each with a tick and leaves out what they do not want. id is the block that the cards are about, or the note for cards at its end; a note of their own only where the user names one.
3. The user reviews them: "Review flashcards" in the panel's menu, or SiYuan's own review. You cannot rate cards.
- op=remove ends a card and leaves its block.
`;
