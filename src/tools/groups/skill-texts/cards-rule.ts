/** How cards are written, read with ReadVar when needed. */
export const CARDS_RULE = `A flashcard is a block. SiYuan shows the question and hides the rest until the person asks for it.

## Forms
- Question and answer: a list of one item, with the answer below it. The card is the list.
\`\`\`
* Who keeps the memory of what was learned for longest?
  * Those who test themselves instead of reading again.
\`\`\`
- A gap: a paragraph with the hidden words marked. The card is the paragraph.
\`\`\`
Water boils at ==100 °C== at the level of the sea.
\`\`\`
- A heading hides what is below it; a quote or super block shows its first block.

## Good cards
- One fact for each card. A list of five is five cards, or five gaps.
- Ask so that only one answer is right, and so that it can be said in a few words. Not "What about X?", not yes or no.
- Give the context in the question ("In SQL, …"): cards come without their note.
- Write the answer from the note, in its words and language; invent nothing. End the answer with a reference to the block it is from, ((id "source")), where that is no give-away.
- Do not make cards of what is not worth knowing in a year.

## Steps
1. Read the note. Show the questions and answers in your answer first if there are more than ten.
2. Write them with insert_blocks: below a heading for cards in the note, or in a note of their own that the user names. One list for each card, with a blank line and a line \`---\` or a paragraph between two lists, since two lists in a row become one.
3. flashcards op=create with the ids of these lists. The user reviews them in SiYuan or in the panel.
- Look with op=list first, so that nothing becomes a card twice. op=remove ends a card and leaves its block.
`;
