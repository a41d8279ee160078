// The slash command `/ledger user:` for discord.js: the purchases of a user, with buttons for the pages.
//
// client.on('interactionCreate', (interaction) => onInteraction(ledger, interaction))
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  escapeMarkdown,
  MessageFlags,
  PermissionFlagsBits,
  SlashCommandBuilder,
  type Interaction,
  type InteractionEditReplyOptions as Message,
} from 'discord.js'
import { InvalidParameterError, type GuildLedger, type UserPage } from '@guild-ledger/sdk'
import { adviceFor } from './errors.ts'

/** Register it once with `guild.commands.create(command)`. */
export const command = new SlashCommandBuilder()
  .setName('ledger')
  .setDescription('Shows what a user has bought')
  // Purchases are not public by default; server settings can grant access.
  .setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
  .addStringOption((option) =>
    // The identifier is stored in the ids of the buttons, which are limited to 100 characters.
    option.setName('user').setDescription('Identifier on the game platform').setRequired(true).setMaxLength(80),
  )

const pageSize = 10 // a message is limited to 2,000 characters
const maxNameLength = 60

const formatPage = ({ data, pagination }: UserPage): string => {
  const lines = data.transactions.map(({ createdAt, quantity, name, total }) => {
    const day = `<t:${Math.floor(Date.parse(createdAt) / 1000)}:d>`
    return `${day} ${quantity} × ${escapeMarkdown(name.slice(0, maxNameLength).toWellFormed())}: **${total.toFixed(2)}**`
  })
  return [...lines, `-# page ${pagination.page} of ${pagination.totalPages}`].join('\n')
}

// The page number is stored in the button, not in the bot: it works after a restart and in every shard.
const button = (label: string, platformId: string, page: number, enabled: boolean) =>
  new ButtonBuilder()
    .setCustomId(`ledger:${page}:${platformId}`)
    .setLabel(label)
    .setStyle(ButtonStyle.Secondary)
    .setDisabled(!enabled)

/** Creates a message with a page. Names come from users: they must not mention anyone or format text. */
const createMessage = async (ledger: GuildLedger, platformId: string, page: number): Promise<Message> => {
  const base = { allowedMentions: { parse: [] }, components: [] }
  try {
    const query = { page, limit: pageSize, sortBy: 'createdAt', sortOrder: 'desc' } as const
    const found = await ledger.user(platformId).transactions.list(query, { timeoutMs: 10_000 })
    const newer = button('Newer', platformId, page - 1, page > 1)
    const older = button('Older', platformId, page + 1, page < found.pagination.totalPages)
    return {
      ...base,
      content: formatPage(found),
      components: [new ActionRowBuilder<ButtonBuilder>().addComponents(newer, older)],
    }
  } catch (error) {
    if (error instanceof InvalidParameterError) return { ...base, content: 'This is not a user identifier.' }
    if (adviceFor(error)?.actor !== 'nobody') console.error('/ledger:', error) // errors of the SDK contain no key
    return { ...base, content: adviceFor(error)?.message ?? 'Something went wrong.' }
  }
}

/** Handles the command and its buttons; ignores other interactions. */
export const onInteraction = async (ledger: GuildLedger, interaction: Interaction): Promise<void> => {
  if (interaction.isChatInputCommand() && interaction.commandName === 'ledger') {
    // Discord requires a first response within three seconds; the ledger may take longer.
    await interaction.deferReply({ flags: MessageFlags.Ephemeral })
    await interaction.editReply(await createMessage(ledger, interaction.options.getString('user', true), 1))
  } else if (interaction.isButton() && interaction.customId.startsWith('ledger:')) {
    const [, page = '1', ...platformId] = interaction.customId.split(':')
    await interaction.deferUpdate()
    await interaction.editReply(await createMessage(ledger, platformId.join(':'), Number(page)))
  }
}
