# SPDX-License-Identifier: MIT
# Bash ends a word at a colon, and a name of bluecap's, such as virtual:house or an address, has some. The words are put
# together again, and what is offered is cut to what bash puts in place of the last one.
_bluecap_whole_words() {
    local words=() place=0 index word cut
    for index in "${!COMP_WORDS[@]}"; do
        word=${COMP_WORDS[index]}
        if [ "$index" -gt 0 ] && [[ $word == :* || ${COMP_WORDS[index - 1]} == *: ]] &&
            ! [[ -z $word && ${COMP_LINE:COMP_POINT-1:1} == ' ' ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        if [ "$index" -eq "$COMP_CWORD" ]; then place=$((${#words[@]} - 1)); fi
    done
    local COMP_WORDS=("${words[@]}") COMP_CWORD=$place
    word=${COMP_WORDS[COMP_CWORD]}
    _bluecap "$1" "$word" "${COMP_WORDS[COMP_CWORD - 1]}"
    cut=${word%"${word##*:}"}
    COMPREPLY=("${COMPREPLY[@]#"$cut"}")
}

complete -o filenames -F _bluecap_whole_words bluecap
